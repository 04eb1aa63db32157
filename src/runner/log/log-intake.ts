import type { LogStream } from "../../model/log/log.ts";
import type { LogSpan } from "../../model/log/log-span.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import { LineMasker, type MaskedLine } from "../mask/line-masker.ts";
import { maskCommand, hideDeclared } from "../mask/mask-command.ts";
import type { Masker } from "../mask/masker.ts";
import type { ColoredLine } from "./colored-lines.ts";
import { type LogOrigin, RUNNER_ORIGIN } from "./log-origin.ts";
import { cutLine } from "./log-text.ts";

/** A line that can be shown. */
export interface ShownLine extends ColoredLine {
  at: string;
  stream: LogStream;
  phase: ExecutedPhase;
  /** Length in UTF-8. */
  bytes: number;
}

export type LogIntakeLimits = Pick<
  RunnerLimits,
  "logLineBytes" | "logHoldMs" | "maskLength" | "maskBytes" | "masksPerJob"
>;

export interface LogIntakeOptions {
  masker: Masker;
  clock: () => Date;
  limits: LogIntakeLimits;
  /** Called with each line, in order. */
  show: (line: ShownLine) => void;
  /** Called with a value that later jobs of the run must mask too. */
  declare: (value: string) => void;
}

interface Owner extends Omit<ShownLine, "text" | "bytes"> {
  /** Length as written, for the mark of a cut line. */
  totalBytes: number;
  wasCut: boolean;
}

/** Turns lines of output into lines to show: takes declared secrets, masks, then cuts. */
export class LogIntake {
  readonly #options: LogIntakeOptions;
  readonly #lines: LineMasker<Owner>;
  readonly #declared = new Set<string>();
  #held: NodeJS.Timeout | undefined;

  constructor(options: LogIntakeOptions) {
    this.#options = options;
    this.#lines = new LineMasker(options.masker);
  }

  /** `totalBytes`: the length as written, if `line` is only the beginning (`wasCut`). */
  take(line: ColoredLine, phase: ExecutedPhase, origin: LogOrigin, totalBytes: number, wasCut: boolean): void {
    const prefix = line.text.startsWith(origin.prefix) ? origin.prefix : "";
    const body = line.text.slice(prefix.length);
    const declared = origin.stream === "RUNNER" ? null : maskCommand(body);
    if (declared !== null) return this.#declare(declared, phase, wasCut);
    const shown = hideDeclared(body);
    // The places of colors are those of the text as it was written.
    const spans = shown === body && !wasCut ? spansBehind(line.spans, prefix.length) : [];
    this.#write(prefix, { text: shown, spans }, phase, origin, totalBytes, wasCut);
  }

  /** Shows the lines that are held back. */
  release(): void {
    this.#show(this.#lines.end(true));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#held);
  }

  #write(
    prefix: string,
    { text, spans }: ColoredLine,
    phase: ExecutedPhase,
    { stream, name }: LogOrigin,
    totalBytes: number,
    wasCut: boolean,
  ): void {
    const owner = { at: this.#options.clock().toISOString(), stream, phase, spans, totalBytes, wasCut };
    // Masked before it is cut, because a part of a value across the cut would remain.
    const ready = wasCut
      ? this.#lines.pushBeginning(name, prefix, text, owner)
      : this.#lines.push(name, prefix, text, owner);
    this.#show(ready);
  }

  #show(lines: readonly MaskedLine<Owner>[]): void {
    const { show, limits } = this.#options;
    for (const { text, owner, rangeOf } of lines) {
      const { totalBytes, wasCut, ...line } = owner;
      const cut = cutLine(text, totalBytes, wasCut, limits.logLineBytes);
      const spans = line.spans.length === 0 || cut !== text ? [] : shownSpans(line.spans, rangeOf);
      show({ ...line, text: cut, spans, bytes: Buffer.byteLength(cut) });
    }
    if (!this.#lines.holds) {
      clearTimeout(this.#held);
      this.#held = undefined;
    } else this.#held ??= setTimeout(() => this.release(), limits.logHoldMs);
  }

  #declare(value: string, phase: ExecutedPhase, wasCut: boolean): void {
    const { masker, limits, declare } = this.#options;
    const warn = (text: string): void =>
      this.#write("", { text, spans: [] }, phase, RUNNER_ORIGIN, Buffer.byteLength(text), false);
    if (wasCut) return warn("Not masked: the value is longer than a line of the log may be.");
    if (value.trim().length < limits.maskLength) {
      return warn(`Not masked: a value to be masked must have at least ${limits.maskLength} characters.`);
    }
    if (this.#declared.has(value) || this.#declared.size > limits.masksPerJob) return;
    this.#declared.add(value);
    if (this.#declared.size > limits.masksPerJob) {
      return warn(`Not masked: a job can declare at most ${limits.masksPerJob} values to be masked.`);
    }
    masker.add([value]);
    if (Buffer.byteLength(value) <= limits.maskBytes) return declare(value);
    warn(`A value to be masked has more than ${limits.maskBytes} bytes: other jobs of this run will not mask it.`);
  }
}

/** The spans behind a prefix of a line, counted from its end. One that begins in the prefix begins behind it. */
function spansBehind(spans: readonly LogSpan[], length: number): readonly LogSpan[] {
  if (length === 0) return spans;
  return spans.flatMap((span) => {
    const [from, to] = [Math.max(span.from - length, 0), span.to - length];
    return from < to ? [{ ...span, from, to }] : [];
  });
}

function shownSpans(spans: readonly LogSpan[], rangeOf: MaskedLine<Owner>["rangeOf"]): readonly LogSpan[] {
  return spans.flatMap((span) => {
    const range = rangeOf([span.from, span.to]);
    return range === null ? [] : [{ ...span, from: range[0], to: range[1] }];
  });
}
