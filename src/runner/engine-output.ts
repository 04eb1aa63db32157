import { type Diagnostic, type EngineEvent, messageOfBeginning, parseEngineEvent } from "./engine-event.ts";
import { renderEvent } from "./log-renderer.ts";
import type { LogShipper } from "./log-shipper.ts";
import { LogSplitter, type RawLine } from "./log-splitter.ts";
import { utf8Prefix } from "./log-text.ts";

type Log = Pick<LogShipper, "write" | "writeRaw">;

/** Output that is text already: it goes to the log as it is, and its beginning is remembered for a failure report. */
export class TextOutput {
  readonly #log: Log;
  readonly #splitter: LogSplitter;
  readonly #rememberBytes: number;
  #text = "";

  constructor(log: Log, keepBytes: number, rememberBytes: number) {
    this.#log = log;
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
    if (room > 0) this.#text += `${utf8Prefix(raw.bytes.toString("utf8"), room)}\n`;
    await this.#log.writeRaw(raw);
  }
}

/** Output of `plan -json` and `apply -json`: rendered into the log, and read for what happened. */
export class EventOutput {
  readonly #log: Log;
  readonly #command: "plan" | "apply";
  readonly #splitter: LogSplitter;
  readonly #errors: Diagnostic[] = [];
  readonly #applied = new Set<string>();
  readonly #provisioned = new Set<string>();

  constructor(log: Log, command: "plan" | "apply", keepBytes: number) {
    this.#log = log;
    this.#command = command;
    this.#splitter = new LogSplitter(keepBytes);
  }

  get errors(): readonly Diagnostic[] {
    return this.#errors;
  }

  /** Addresses of what was completely created, changed or destroyed, in order. */
  get appliedAddresses(): string[] {
    return [...this.#applied];
  }

  /** Created, but a provisioner did not succeed: the engine marks them for replacement. */
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
      // Never the whole line, however long the message's beginning is.
      await this.#log.writeRaw({ bytes, totalBytes: Math.max(raw.totalBytes, bytes.length + 1) });
      return;
    }
    const event = parseEngineEvent(text);
    if (event === undefined) return this.#log.writeRaw(raw);
    this.#note(event);
    const rendered = renderEvent(event, this.#command);
    if (rendered !== "") await this.#log.write(rendered);
  }

  #note(event: EngineEvent): void {
    const address = event.hook?.resource?.addr;
    if (event.type === "diagnostic" && event.diagnostic?.severity === "error") this.#errors.push(event.diagnostic);
    if (address === undefined) return;
    if (event.type === "apply_complete") this.#applied.add(address);
    if (event.type === "provision_start") this.#provisioned.add(address);
  }
}

/** Output that is data: kept whole up to a limit. */
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
