import type { WrittenLine } from "../../model/log/log-text.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { JobClient, LogReceipt } from "../server/job-client.ts";

interface Post {
  readonly firstLine: number;
  readonly lineCount: number;
  /** Whether others were in flight when it was sent. */
  readonly follows: boolean;
  readonly answer: Promise<LogReceipt>;
}

/** The result of posts. */
export interface Settled {
  /** Lines that are stored, counted from the oldest. */
  readonly lineCount: number;
  /** Whether later lines must be posted again. */
  readonly resend: boolean;
}

export interface LogPostsOptions {
  client: Pick<JobClient, "appendLog">;
  /** The number of the first line. */
  nextLine: number;
  log: RunnerLog;
}

/** Successes until one post more may be in flight; the number doubles with each setback. */
const GROWS_AFTER = 8;

/**
 * Posts batches of lines with several requests in flight, so that the server receives the next batch while it stores the
 * last. If they arrive out of order, as behind a balancer with two servers, one is sent at a time. Each further try with
 * two waits longer.
 */
export class LogPosts {
  readonly #options: LogPostsOptions;
  /** Oldest first. */
  #inFlight: Post[] = [];
  #nextLine: number;
  /** As the server allows. */
  #allowed = 1;
  #most = Number.POSITIVE_INFINITY;
  #inOrderCount = 0;
  /** Setbacks since several in flight last succeeded. */
  #setbacks = 0;

  constructor(options: LogPostsOptions) {
    this.#options = options;
    this.#nextLine = options.nextLine;
  }

  get isIdle(): boolean {
    return this.#inFlight.length === 0;
  }

  get isFull(): boolean {
    return this.#inFlight.length >= Math.min(this.#most, this.#allowed);
  }

  post(phase: ExecutedPhase, lines: readonly WrittenLine[]): void {
    const [firstLine, follows] = [this.#nextLine, !this.isIdle];
    const answer = this.#options.client.appendLog({ phase, firstLine, lines }, follows);
    // `settle` reports the failure; without a handler here, one of an earlier post would end the process first.
    answer.catch(() => undefined);
    this.#inFlight.push({ firstLine, lineCount: lines.length, follows, answer });
    this.#nextLine += lines.length;
  }

  /** Waits for the oldest post; if it was not stored as sent, for all of them. Throws as `appendLog` does. */
  async settle(): Promise<Settled> {
    const post = this.#inFlight.shift();
    if (post === undefined) return { lineCount: 0, resend: false };
    const { firstLine, lineCount, follows } = post;
    const { nextLine, atOnce } = await post.answer;
    if (nextLine !== firstLine + lineCount) return this.#resend(post, nextLine);
    this.#allowed = atOnce;
    if (follows && atOnce === 1) this.#limitToOne();
    else if (follows === this.#most > 1) this.#noteSuccess();
    return { lineCount, resend: false };
  }

  #noteSuccess(): void {
    this.#inOrderCount += 1;
    if (this.#inOrderCount < GROWS_AFTER * (this.#most > 1 ? 1 : 2 ** this.#setbacks)) return;
    if (this.#most > 1) this.#setbacks = 0;
    this.#most += 1;
    this.#inOrderCount = 0;
  }

  #limitToOne(): void {
    if (this.#most === 1) return;
    this.#most = 1;
    this.#inOrderCount = 0;
    this.#setbacks += 1;
  }

  /** Continues from the line that the server expects: earlier attempts may have stored some lines. */
  async #resend({ firstLine, follows }: Post, answered: number): Promise<Settled> {
    const others = await Promise.all(this.#inFlight.map(async ({ answer }) => (await answer).nextLine));
    // A post that overtook others was refused before those were stored; they are stored by now.
    const known = follows ? firstLine : 0;
    const [expected, nextLine] = [this.#nextLine, Math.max(known, answered, ...others)];
    if (nextLine === firstLine && !follows)
      throw new Error("The server stored no line of a post and expects the same line again");
    this.#inFlight = [];
    this.#limitToOne();
    this.#nextLine = nextLine;
    if (nextLine >= firstLine && nextLine <= expected) return { lineCount: nextLine - firstLine, resend: true };
    this.#options.log.warn(
      { expected: firstLine, nextLine },
      "The server expects another log line than the runner: continuing with the server's number",
    );
    return { lineCount: 0, resend: true };
  }
}
