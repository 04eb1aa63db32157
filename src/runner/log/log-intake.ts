import type { LogStream } from "../../model/log/log.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import { LineMasker, type MaskedLine } from "../mask/line-masker.ts";
import { maskCommand, hideDeclared } from "../mask/mask-command.ts";
import type { Masker } from "../mask/masker.ts";
import { type LogOrigin, RUNNER_ORIGIN } from "./log-origin.ts";
import { cutLine } from "./log-text.ts";

/** A line that can be shown. */
export interface ShownLine {
  at: string;
  text: string;
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
  take(line: string, phase: ExecutedPhase, origin: LogOrigin, totalBytes: number, wasCut: boolean): void {
    const prefix = line.startsWith(origin.prefix) ? origin.prefix : "";
    const body = line.slice(prefix.length);
    const declared = origin.stream === "RUNNER" ? null : maskCommand(body);
    if (declared !== null) return this.#declare(declared, phase, wasCut);
    this.#write(prefix, hideDeclared(body), phase, origin, totalBytes, wasCut);
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
    body: string,
    phase: ExecutedPhase,
    { stream, name }: LogOrigin,
    totalBytes: number,
    wasCut: boolean,
  ): void {
    const owner = { at: this.#options.clock().toISOString(), stream, phase, totalBytes, wasCut };
    // Masked before it is cut, because a part of a value across the cut would remain.
    const ready = wasCut
      ? this.#lines.pushBeginning(name, prefix, body, owner)
      : this.#lines.push(name, prefix, body, owner);
    this.#show(ready);
  }

  #show(lines: readonly MaskedLine<Owner>[]): void {
    const { show, limits } = this.#options;
    for (const { text, owner } of lines) {
      const { totalBytes, wasCut, ...line } = owner;
      const cut = cutLine(text, totalBytes, wasCut, limits.logLineBytes);
      show({ ...line, text: cut, bytes: Buffer.byteLength(cut) });
    }
    if (!this.#lines.holds) {
      clearTimeout(this.#held);
      this.#held = undefined;
    } else this.#held ??= setTimeout(() => this.release(), limits.logHoldMs);
  }

  #declare(value: string, phase: ExecutedPhase, wasCut: boolean): void {
    const { masker, limits, declare } = this.#options;
    const warn = (text: string): void => this.#write("", text, phase, RUNNER_ORIGIN, Buffer.byteLength(text), false);
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
