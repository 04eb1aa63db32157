import { LIMITS } from "../../model/kit/limits.ts";
import { type LogOrigin, outputOrigin } from "../log/log-origin.ts";
import type { LogShipper } from "../log/log-shipper.ts";
import { LogSplitter, type RawLine } from "../log/log-splitter.ts";
import { utf8Prefix } from "../log/log-text.ts";
import { maskCommand } from "../mask/mask-command.ts";
import { type Diagnostic, type EngineEvent, messageOfBeginning, parseEngineEvent } from "./engine-event.ts";
import { provisionerPrefix, renderEvent } from "./event-text.ts";

type Log = Pick<LogShipper, "write" | "writeRaw">;

const STDOUT = outputOrigin("STDOUT");

/** The commands whose events are read. */
export type EventCommand = "plan" | "apply" | "test";

/** Text output: it goes to the log unchanged, and its beginning is kept for a failure report. */
export class TextOutput {
  readonly #log: Log;
  readonly #splitter: LogSplitter;
  readonly #rememberBytes: number;
  readonly #origin: LogOrigin;
  #text = "";

  constructor(log: Log, keepBytes: number, rememberBytes: number, stream: "STDOUT" | "STDERR" = "STDOUT") {
    this.#log = log;
    this.#origin = outputOrigin(stream);
    this.#splitter = new LogSplitter(keepBytes);
    this.#rememberBytes = rememberBytes;
  }

  get text(): string {
    return this.#text;
  }

  async take(chunk: Buffer): Promise<void> {
    for (const line of this.#splitter.push(chunk)) await this.#line(line);
  }

  async finish(): Promise<void> {
    for (const line of this.#splitter.end()) await this.#line(line);
  }

  async #line(raw: RawLine): Promise<void> {
    const room = this.#rememberBytes - this.#text.length;
    const text = room > 0 ? raw.bytes.toString("utf8") : "";
    // A line that declares a secret is shown nowhere.
    if (room > 0 && maskCommand(text) === null) this.#text += `${utf8Prefix(text, room)}\n`;
    await this.#log.writeRaw(raw, this.#origin);
  }
}

/** Output of `plan -json`, `apply -json` and `test -json`: rendered into the log, and read for results. */
export class EventOutput {
  readonly #log: Log;
  readonly #command: EventCommand;
  readonly #onEvent: (event: EngineEvent) => void;
  readonly #splitter: LogSplitter;
  readonly #errors: Diagnostic[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #applied = new Set<string>();
  readonly #provisioned = new Set<string>();
  #applyCompleted = false;

  /** `onEvent` is called with every event. */
  constructor(
    log: Log,
    command: EventCommand,
    keepBytes: number,
    onEvent: (event: EngineEvent) => void = () => undefined,
  ) {
    this.#log = log;
    this.#command = command;
    this.#onEvent = onEvent;
    this.#splitter = new LogSplitter(keepBytes);
  }

  get errors(): readonly Diagnostic[] {
    return this.#errors;
  }

  /** The errors and warnings, in order. If there are too many, warnings are left out first, then the last errors. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Whether an apply reported its completion, also of an empty plan. */
  get applyCompleted(): boolean {
    return this.#applyCompleted;
  }

  /** Addresses of resources that were created, changed or destroyed completely, in order. */
  get appliedAddresses(): string[] {
    return [...this.#applied];
  }

  /** Addresses of resources that were created but whose provisioner failed: the engine replaces them next. */
  get taintedAddresses(): string[] {
    return [...this.#provisioned].filter((address) => !this.#applied.has(address));
  }

  async take(chunk: Buffer): Promise<void> {
    for (const line of this.#splitter.push(chunk)) await this.#line(line);
  }

  async finish(): Promise<void> {
    for (const line of this.#splitter.end()) await this.#line(line);
  }

  async #line(raw: RawLine): Promise<void> {
    const text = raw.bytes.toString("utf8");
    if (raw.bytes.length < raw.totalBytes) {
      const message = messageOfBeginning(text);
      const bytes = message === undefined ? raw.bytes : Buffer.from(message);
      // Always marked as cut: this is not the whole line.
      await this.#log.writeRaw({ bytes, totalBytes: Math.max(raw.totalBytes, bytes.length + 1) }, STDOUT);
      return;
    }
    const event = parseEngineEvent(text);
    if (event === undefined) return this.#log.writeRaw(raw, STDOUT);
    this.#note(event);
    this.#onEvent(event);
    const rendered = renderEvent(event, this.#command === "apply" ? "apply" : "plan");
    if (rendered !== "") await this.#log.write(rendered, outputOrigin("STDOUT", provisionerPrefix(event)));
  }

  #note(event: EngineEvent): void {
    const address = event.hook?.resource?.addr;
    if (event.type === "change_summary" && event.changes?.operation !== "plan") this.#applyCompleted = true;
    if (event.type === "diagnostic" && event.diagnostic !== undefined) this.#noteDiagnostic(event.diagnostic);
    if (address === undefined) return;
    if (event.type === "apply_complete") this.#applied.add(address);
    if (event.type === "provision_start") this.#provisioned.add(address);
  }

  #noteDiagnostic(diagnostic: Diagnostic): void {
    const isError = diagnostic.severity === "error";
    if (isError) this.#errors.push(diagnostic);
    if (isError && this.#diagnostics.length === LIMITS.diagnostics) this.#leaveOutWarning();
    if (this.#diagnostics.length < LIMITS.diagnostics) this.#diagnostics.push(diagnostic);
  }

  #leaveOutWarning(): void {
    const last = this.#diagnostics.findLastIndex(({ severity }) => severity !== "error");
    if (last !== -1) this.#diagnostics.splice(last, 1);
  }
}

/** Data output: kept whole up to a limit. */
export class CapturedOutput {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= this.#limit) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get tooLarge(): boolean {
    return this.#length > this.#limit;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
