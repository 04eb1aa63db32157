import type { WireLogLine } from "../ingestion/wire.ts";
import type { ExecutedPhase } from "../model/phase.ts";
import type { JobClient } from "./job-client.ts";
import type { RawLine } from "./log-splitter.ts";
import { cutLine, readableLines, utf8Prefix } from "./log-text.ts";
import type { Masker } from "./masker.ts";
import type { RunnerLimits } from "./runner-limits.ts";
import type { RunnerLog } from "./runner-options.ts";
import { Signal } from "./signal.ts";

export interface LogShipperOptions {
  client: Pick<JobClient, "appendLog">;
  masker: Masker;
  /** The number of the first line. */
  nextLine: number;
  clock: () => Date;
  /** Aborted when nobody takes lines any more; what is left is dropped. */
  ended: AbortSignal;
  limits: RunnerLimits;
  log: RunnerLog;
}

interface QueuedLine extends WireLogLine {
  phase: ExecutedPhase;
  bytes: number;
  /** By the monotonic clock. */
  queuedMs: number;
}

const RECENT_LINES = 200;
const RECENT_LINE_BYTES = 2048;

/**
 * Takes lines of text and brings them to the server: masked, cut, numbered, in order, in batches that end at a size, a
 * number of lines, a time or a change of phase. `write` waits while too much is on its way, which pauses the engine.
 */
export class LogShipper {
  phase: ExecutedPhase = "PREPARE";
  readonly #options: LogShipperOptions;
  readonly #sending: Promise<void>;
  #queue: QueuedLine[] = [];
  #queuedBytes = 0;
  #nextLine: number;
  #urgent = false;
  #closed = false;
  #dropsInsteadOfWaiting = false;
  #dropped = 0;
  #recent: string[] = [];
  #stopped = false;
  /** Two signals: writers that wake each other while the queue stays full would never let the sender run. */
  readonly #work = new Signal();
  readonly #progress = new Signal();

  constructor(options: LogShipperOptions) {
    this.#options = options;
    this.#nextLine = options.nextLine;
    this.#sending = this.#send();
  }

  /** The newest lines, oldest first, as they were sent; of a long one its beginning. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Writes a text of one or more lines. */
  async write(text: string): Promise<void> {
    for (const line of readableLines(text)) this.#enqueue(line, Buffer.byteLength(line), false);
    await this.#room();
  }

  /** Writes output that may have been too long to be kept whole. */
  async writeRaw(raw: RawLine): Promise<void> {
    const wasCut = raw.bytes.length < raw.totalBytes;
    const lines = readableLines(raw.bytes.toString("utf8"));
    for (const [index, line] of lines.entries()) {
      const cutHere = wasCut && index === lines.length - 1;
      this.#enqueue(line, cutHere ? raw.totalBytes : Buffer.byteLength(line), cutHere);
    }
    await this.#room();
  }

  /** From now on lines are dropped rather than waited for: an engine that shall end must not be paused. */
  stopWaiting(): void {
    this.#dropsInsteadOfWaiting = true;
    this.#progress.raise();
  }

  /** Fulfilled when every line so far was taken by the server, or nobody takes them any more. */
  async flush(): Promise<void> {
    while ((this.#queue.length > 0 || this.#dropped > 0) && !this.#stopped) {
      const progress = this.#progress.wait();
      this.#urgent = true;
      this.#work.raise();
      await progress;
    }
  }

  /** Flushes and ends. */
  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
    this.#work.raise();
    await this.#sending;
  }

  #enqueue(line: string, totalBytes: number, wasCut: boolean): void {
    const { masker, limits, clock } = this.#options;
    if (this.#stopped) return;
    if (this.#dropsInsteadOfWaiting && this.#queuedBytes >= limits.logQueueBytes) {
      this.#dropped += 1;
      return;
    }
    // Masked before it is cut: a value that lies across the cut would be left in part.
    const masked = wasCut ? masker.maskBeginning(line) : masker.mask(line);
    this.#append(clock(), cutLine(masked, totalBytes, wasCut, limits.logLineBytes));
  }

  #append(at: Date, text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#queue.push({ at: at.toISOString(), text, phase: this.phase, bytes, queuedMs: performance.now() });
    this.#queuedBytes += bytes;
    this.#recent.push(utf8Prefix(text, RECENT_LINE_BYTES));
    if (this.#recent.length > RECENT_LINES * 2) this.#recent = this.#recent.slice(-RECENT_LINES);
    this.#work.raise();
  }

  async #room(): Promise<void> {
    const { limits } = this.#options;
    while (this.#queuedBytes >= limits.logQueueBytes && !this.#dropsInsteadOfWaiting && !this.#stopped) {
      await this.#progress.wait();
    }
  }

  async #send(): Promise<void> {
    const { ended, log } = this.#options;
    const wake = () => this.#work.raise();
    ended.addEventListener("abort", wake, { once: true });
    try {
      while (!ended.aborted && !(this.#closed && this.#queue.length === 0)) {
        if (this.#queue.length === 0) await this.#idle();
        else await this.#sendBatch(await this.#nextBatch());
      }
    } catch (error) {
      if (!ended.aborted) log.error({ err: error }, "The server refused log lines: this job's log ends here");
    } finally {
      ended.removeEventListener("abort", wake);
      this.#stopped = true;
      this.#queue = [];
      this.#queuedBytes = 0;
      this.#progress.raise();
    }
  }

  async #idle(): Promise<void> {
    this.#urgent = false;
    if (this.#dropped === 0) return this.#work.wait();
    const text = `… [${this.#dropped} lines dropped: the server did not take them in time]`;
    this.#dropped = 0;
    this.#append(this.#options.clock(), text);
  }

  /** Waits until the batch at the head of the queue is complete. */
  async #nextBatch(): Promise<QueuedLine[]> {
    const { limits, ended } = this.#options;
    const timer = Promise.withResolvers<void>();
    const age = performance.now() - (this.#queue[0]?.queuedMs ?? 0);
    const timeout = setTimeout(timer.resolve, Math.max(0, limits.logBatchMs - age));
    let due = false;
    void timer.promise.then(() => (due = true));
    try {
      for (;;) {
        const { lines, full } = this.#head();
        if (full || due || this.#urgent || this.#closed || ended.aborted) return lines;
        await Promise.race([this.#work.wait(), timer.promise]);
      }
    } finally {
      clearTimeout(timeout);
    }
  }

  /** The lines that belong into one batch, and whether no further line could. */
  #head(): { lines: QueuedLine[]; full: boolean } {
    const { limits } = this.#options;
    const phase = this.#queue[0]?.phase;
    let bytes = 0;
    for (const [index, line] of this.#queue.entries()) {
      bytes += line.bytes;
      const over = bytes > limits.logBatchBytes && index > 0;
      if (over || line.phase !== phase || index >= limits.logBatchLines) {
        return { lines: this.#queue.slice(0, index), full: true };
      }
    }
    return { lines: this.#queue.slice(), full: bytes >= limits.logBatchBytes };
  }

  async #sendBatch(batch: QueuedLine[]): Promise<void> {
    const { client, log } = this.#options;
    const phase = batch[0]?.phase;
    if (phase === undefined || this.#options.ended.aborted) return;
    const lines = batch.map(({ at, text }) => ({ at, text }));
    const nextLine = await client.appendLog({ phase, firstLine: this.#nextLine, lines });
    const taken = nextLine - this.#nextLine;
    if (taken <= 0 || taken > batch.length) {
      log.warn({ expected: this.#nextLine, nextLine }, "The server counts this run's log lines differently");
    }
    // All lines, or the first of them where an earlier attempt got through; else the server's number is the right one.
    const sent = taken > 0 && taken <= batch.length ? taken : 0;
    if (sent === 0 && nextLine === this.#nextLine) throw new Error("The server took no line and asks for the same one");
    this.#nextLine = nextLine;
    for (const line of this.#queue.splice(0, sent)) this.#queuedBytes -= line.bytes;
    this.#progress.raise();
  }
}
