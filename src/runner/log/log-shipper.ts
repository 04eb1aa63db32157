import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { Signal } from "../kit/signal.ts";
import type { Masker } from "../mask/masker.ts";
import type { JobClient } from "../server/job-client.ts";
import { type ColoredLine, coloredLines } from "./colored-lines.ts";
import { LogBudget, type LogBudgetLimits } from "./log-budget.ts";
import { LogIntake, type LogIntakeLimits, type ShownLine } from "./log-intake.ts";
import { type LogOrigin, RUNNER_ORIGIN } from "./log-origin.ts";
import { LogPosts } from "./log-posts.ts";
import type { RawLine } from "./log-splitter.ts";
import { utf8Prefix } from "./log-text.ts";

export type LogLimits = LogBudgetLimits &
  LogIntakeLimits &
  Pick<RunnerLimits, "logBatchBytes" | "logBatchLines" | "logBatchMs" | "logQueueBytes" | "logNoticeMs">;

export interface LogShipperOptions {
  client: Pick<JobClient, "appendLog" | "declareMasks">;
  masker: Masker;
  /** The number of the first line. */
  nextLine: number;
  /** Bytes that earlier jobs of the run wrote. */
  writtenBytes: number;
  clock: () => Date;
  /** Aborted when the server takes no lines any more; queued lines are dropped. */
  ended: AbortSignal;
  limits: LogLimits;
  log: RunnerLog;
}

interface QueuedLine extends ShownLine {
  /** By the monotonic clock. */
  queuedMs: number;
}

/** A line of the log with its number. */
export interface LogHeading {
  number: number;
  text: string;
}

/** Matches the first line of a diagnostic. */
const HEADING = /^(?:Error|Warning): /;
const HEADINGS = 1000;
const RECENT_LINES = 200;
const RECENT_LINE_BYTES = 2048;
/** Declared values that go into one request. */
const MASKS_AT_ONCE = 8;
const MEBIBYTE = 1024 * 1024;

/**
 * Ships lines to the server: masked, cut, numbered and in order. A batch ends at a size, a number of lines, a time or a
 * change of phase. `write` waits while the queue is full, which pauses the engine.
 */
export class LogShipper {
  #phase: ExecutedPhase = "PREPARE";
  readonly #options: LogShipperOptions;
  readonly #intake: LogIntake;
  readonly #budget: LogBudget<QueuedLine>;
  readonly #posts: LogPosts;
  readonly #sending: Promise<void>;
  /** Includes the lines in flight, which come first. */
  #queue: QueuedLine[] = [];
  #queuedBytes = 0;
  /** Lines of the queue that are in flight. */
  #inFlight = 0;
  /** Declared values that the server does not have yet. */
  #masks: string[] = [];
  #masksRefused = false;
  #noticeAt = 0;
  #urgent = false;
  #closed = false;
  #dropsWhenFull = false;
  #dropped = 0;
  #recent: string[] = [];
  #appendedCount = 0;
  readonly #headings: LogHeading[] = [];
  #stopped = false;
  /** Two signals, because writers that wake each other while the queue stays full would starve the sender. */
  readonly #work = new Signal();
  readonly #progress = new Signal();

  constructor(options: LogShipperOptions) {
    this.#options = options;
    this.#posts = new LogPosts(options);
    this.#budget = new LogBudget(options.limits, options.writtenBytes);
    const { masker, clock, limits } = options;
    const declare = (value: string): void => {
      this.#masks.push(value);
      this.#work.raise();
    };
    this.#intake = new LogIntake({ masker, clock, limits, declare, show: (line) => this.#show(line) });
    this.#sending = this.#send();
  }

  /** The newest lines as sent, oldest first; long lines are cut. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** The lines that begin an error or a warning of the engine, with their numbers, in order; the first ones alone. */
  get headings(): readonly LogHeading[] {
    return this.#headings;
  }

  get phase(): ExecutedPhase {
    return this.#phase;
  }

  set phase(phase: ExecutedPhase) {
    if (phase === this.#phase) return;
    this.#settle();
    this.#phase = phase;
    this.#budget.beginPhase();
  }

  /** Writes a text of one or more lines. */
  async write(text: string, origin: LogOrigin = RUNNER_ORIGIN): Promise<void> {
    for (const line of coloredLines(text)) this.#take(line, origin, Buffer.byteLength(line.text), false);
    await this.#waitForRoom();
  }

  /** Writes output that may have been too long to be kept whole. */
  async writeRaw(raw: RawLine, origin: LogOrigin): Promise<void> {
    const wasCut = raw.bytes.length < raw.totalBytes;
    const lines = coloredLines(raw.bytes.toString("utf8"));
    for (const [index, line] of lines.entries()) {
      const cutHere = wasCut && index === lines.length - 1;
      this.#take(line, origin, cutHere ? raw.totalBytes : Buffer.byteLength(line.text), cutHere);
    }
    await this.#waitForRoom();
  }

  /** Drops lines from now on if the queue is full: an engine that must end is not paused. */
  dropWhenFull(): void {
    this.#dropsWhenFull = true;
    this.#progress.raise();
  }

  /** Resolves when the server has every line so far, or takes no lines any more. */
  async flush(): Promise<void> {
    this.#settle();
    while ((this.#queue.length + this.#masks.length > 0 || this.#dropped > 0) && !this.#stopped) {
      const progress = this.#progress.wait();
      this.#urgent = true;
      this.#work.raise();
      await progress;
    }
  }

  /** Flushes and ends. */
  async close(): Promise<void> {
    await this.flush();
    this.#intake[Symbol.dispose]();
    this.#closed = true;
    this.#work.raise();
    await this.#sending;
  }

  #take(line: ColoredLine, origin: LogOrigin, totalBytes: number, wasCut: boolean): void {
    // Also after the end of the log: reports are masked with the values that lines declare.
    this.#intake.take(line, this.#phase, origin, totalBytes, wasCut);
  }

  #show(shown: ShownLine): void {
    if (this.#stopped) return;
    const line = { ...shown, queuedMs: performance.now() };
    this.#remember(line.text);
    if (!this.#budget.take(line)) return this.#notice();
    if (this.#dropsWhenFull && this.#queuedBytes >= this.#options.limits.logQueueBytes) this.#dropped += 1;
    else this.#append(line);
  }

  /** Shows the lines held back, and the last of the dropped ones. */
  #settle(): void {
    this.#intake.release();
    const dropped = this.#budget.takeDropped();
    if (dropped === null) return;
    if (dropped.lines > 0)
      this.#writeNotice(`${dropped.lines} lines, ${dropped.bytes} bytes dropped: ${this.#limitText()}`);
    for (const line of dropped.tail) this.#append(line);
  }

  /** Writes a notice at intervals while lines are dropped. */
  #notice(): void {
    const { limits } = this.#options;
    const now = performance.now();
    if (this.#noticeAt === 0) this.#noticeAt = now;
    if (now - this.#noticeAt < limits.logNoticeMs) return;
    this.#noticeAt = now;
    this.#writeNotice(`${this.#budget.dropped.lines} lines dropped so far: ${this.#limitText()}`);
  }

  #limitText(): string {
    const { logPhaseBytes, logRunBytes } = this.#options.limits;
    const whole = this.#budget.full === "run";
    const mebibytes = Math.round(((whole ? logRunBytes : logPhaseBytes) / MEBIBYTE) * 100) / 100;
    return `the log of ${whole ? "a run" : "a phase"} ends at ${mebibytes} MiB`;
  }

  /** Writes a line of the shipper itself. */
  #writeNotice(message: string): void {
    const at = this.#options.clock().toISOString();
    const text = `… [${message}]`;
    const bytes = Buffer.byteLength(text);
    this.#append({ at, text, spans: [], stream: "RUNNER", phase: this.#phase, bytes, queuedMs: performance.now() });
  }

  #append(line: QueuedLine): void {
    const number = this.#options.nextLine + this.#appendedCount;
    this.#appendedCount += 1;
    if (this.#headings.length < HEADINGS && HEADING.test(line.text)) this.#headings.push({ number, text: line.text });
    this.#queue.push(line);
    this.#queuedBytes += line.bytes;
    this.#work.raise();
  }

  #remember(text: string): void {
    this.#recent.push(utf8Prefix(text, RECENT_LINE_BYTES));
    if (this.#recent.length > RECENT_LINES * 2) this.#recent = this.#recent.slice(-RECENT_LINES);
  }

  async #waitForRoom(): Promise<void> {
    const { limits } = this.#options;
    while (this.#queuedBytes >= limits.logQueueBytes && !this.#dropsWhenFull && !this.#stopped) {
      await this.#progress.wait();
    }
  }

  async #send(): Promise<void> {
    const { ended, log } = this.#options;
    const wake = () => this.#work.raise();
    ended.addEventListener("abort", wake, { once: true });
    try {
      while (!ended.aborted && !(this.#closed && this.#queue.length + this.#masks.length === 0)) {
        if (this.#masks.length > 0) await this.#sendMasks();
        else if (this.#queue.length === 0) await this.#idle();
        else if (this.#posts.isFull || (!this.#posts.isIdle && !this.#head().full)) await this.#settlePost();
        else this.#post(await this.#nextBatch());
      }
    } catch (error) {
      if (!ended.aborted) log.error({ err: error }, "The server refused log lines: the log of this job ends here");
    } finally {
      ended.removeEventListener("abort", wake);
      this.#stopped = true;
      this.#queue = [];
      this.#queuedBytes = 0;
      this.#intake[Symbol.dispose]();
      this.#progress.raise();
    }
  }

  async #sendMasks(): Promise<void> {
    const values = this.#masks.slice(0, MASKS_AT_ONCE);
    const refusal = this.#masksRefused ? null : await this.#options.client.declareMasks(values);
    this.#masks.splice(0, values.length);
    this.#masksRefused ||= refusal !== null;
    if (refusal !== null)
      this.#writeNotice(`Other jobs of this run will not mask every value that was declared: ${refusal}`);
    this.#progress.raise();
  }

  async #idle(): Promise<void> {
    this.#urgent = false;
    if (this.#dropped === 0) return this.#work.wait();
    const count = this.#dropped;
    this.#dropped = 0;
    this.#writeNotice(`${count} lines dropped: the server did not take them in time`);
  }

  /** Waits until the next batch is complete. */
  async #nextBatch(): Promise<QueuedLine[]> {
    const { limits, ended } = this.#options;
    const timer = Promise.withResolvers<void>();
    const age = performance.now() - (this.#queue[this.#inFlight]?.queuedMs ?? 0);
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

  /** Gives the lines of the next batch, and whether it is full. */
  #head(): { lines: QueuedLine[]; full: boolean } {
    const { limits } = this.#options;
    const first = this.#inFlight;
    const phase = this.#queue[first]?.phase;
    let bytes = 0;
    for (let index = first; index < this.#queue.length; index += 1) {
      const line = this.#queue[index];
      bytes += line?.bytes ?? 0;
      const isTooLong = bytes > limits.logBatchBytes && index > first;
      if (isTooLong || line?.phase !== phase || index - first >= limits.logBatchLines) {
        return { lines: this.#queue.slice(first, index), full: true };
      }
    }
    return { lines: this.#queue.slice(first), full: bytes >= limits.logBatchBytes };
  }

  #post(batch: QueuedLine[]): void {
    const phase = batch[0]?.phase;
    if (phase === undefined || this.#options.ended.aborted) return;
    const lines = batch.map(({ at, text, stream, spans }) => {
      return { at, text, ...(stream !== "STDOUT" && { stream }), ...(spans.length > 0 && { spans }) };
    });
    this.#posts.post(phase, lines);
    this.#inFlight += lines.length;
  }

  async #settlePost(): Promise<void> {
    const { lineCount, resend } = await this.#posts.settle();
    this.#inFlight = resend ? 0 : this.#inFlight - lineCount;
    for (const line of this.#queue.splice(0, lineCount)) this.#queuedBytes -= line.bytes;
    this.#progress.raise();
  }
}
