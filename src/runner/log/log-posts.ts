import type { WrittenLine } from "../../model/log/log-text.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { JobClient, LogReceipt } from "../server/job-client.ts";

interface Post {
  readonly firstLine: number;
  readonly lineCount: number;
  /** Others were under way when it was sent. */
  readonly follows: boolean;
  readonly answer: Promise<LogReceipt>;
}

/** The result of posts. */
export interface Settled {
  /** So many of the oldest that were posted are stored. */
  readonly lineCount: number;
  /** Those behind them are to be posted again. */
  readonly resend: boolean;
}

export interface LogPostsOptions {
  client: Pick<JobClient, "appendLog">;
  /** The number of the first line. */
  nextLine: number;
  log: RunnerLog;
}

/** After so many answers as expected one post more may be under way; where it was too many, twice as many for each time. */
const GROWS_AFTER = 8;

/**
 * Posts of lines, several of them under way, so that the server need not wait for the next one while the last is on its
 * way to the disk. Where they do not come to it in order, as behind a balancer between two servers, there is one at a
 * time, and each try with two takes longer to come.
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
  /** How often there were too many since several went well. */
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

  /** Waits for the oldest post, and where it was not taken as it was sent, for all of them. Throws as `appendLog` does. */
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

  /** All lines, or the first of them where earlier attempts got through; else the server's number is the right one. */
  async #resend({ firstLine, follows }: Post, answered: number): Promise<Settled> {
    const others = await Promise.all(this.#inFlight.map(async ({ answer }) => (await answer).nextLine));
    // One that overtook others may have been refused before those were stored, which they are by now.
    const known = follows ? firstLine : 0;
    const [expected, nextLine] = [this.#nextLine, Math.max(known, answered, ...others)];
    if (nextLine === firstLine && !follows) throw new Error("The server took no line and asks for the same one");
    this.#inFlight = [];
    this.#limitToOne();
    this.#nextLine = nextLine;
    if (nextLine >= firstLine && nextLine <= expected) return { lineCount: nextLine - firstLine, resend: true };
    this.#options.log.warn({ expected: firstLine, nextLine }, "The server counts this run's log lines differently");
    return { lineCount: 0, resend: true };
  }
}
