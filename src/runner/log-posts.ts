import type { WireLogLine } from "../ingestion/wire.ts";
import type { ExecutedPhase } from "../model/phase.ts";
import type { JobClient } from "./job-client.ts";
import type { RunnerLog } from "./runner-options.ts";

interface Post {
  readonly firstLine: number;
  readonly lineCount: number;
  /** Others were under way when it was sent. */
  readonly follows: boolean;
  /** The line that the server expects next. */
  readonly answer: Promise<number>;
}

/** What became of lines. */
export interface Settled {
  /** So many of the oldest that were posted are stored. */
  readonly lineCount: number;
  /** Those behind them are to be posted again. */
  readonly again: boolean;
}

export interface LogPostsOptions {
  client: Pick<JobClient, "appendLog" | "logPostsAtOnce">;
  /** The number of the first line. */
  nextLine: number;
  log: RunnerLog;
}

/** After so many answers as expected one post more may be under way. */
const GROWS_AFTER = 8;

/**
 * Posts of lines, several of them under way, so that the server need not wait for the next one while the last is on its
 * way to the disk. Where they do not come to it in order, as behind a balancer between two servers, there are fewer.
 */
export class LogPosts {
  readonly #options: LogPostsOptions;
  /** Oldest first. */
  #underWay: Post[] = [];
  #nextLine: number;
  #most = Number.POSITIVE_INFINITY;
  #inOrder = 0;

  constructor(options: LogPostsOptions) {
    this.#options = options;
    this.#nextLine = options.nextLine;
  }

  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  get isFull(): boolean {
    return this.#underWay.length >= Math.min(this.#most, this.#options.client.logPostsAtOnce);
  }

  post(phase: ExecutedPhase, lines: readonly WireLogLine[]): void {
    const [firstLine, follows] = [this.#nextLine, !this.isIdle];
    const answer = this.#options.client.appendLog({ phase, firstLine, lines }, follows);
    // Whoever asks for it hears of its failure; that of the one before may be the end of all.
    answer.catch(() => undefined);
    this.#underWay.push({ firstLine, lineCount: lines.length, follows, answer });
    this.#nextLine += lines.length;
  }

  /** Waits for the oldest post, and where it was not taken as it was sent, for all of them. Throws as `appendLog` does. */
  async settle(): Promise<Settled> {
    const post = this.#underWay.shift();
    if (post === undefined) return { lineCount: 0, again: false };
    const { firstLine, lineCount } = post;
    const nextLine = await post.answer;
    if (nextLine !== firstLine + lineCount) return this.#startAgain(post, nextLine);
    this.#inOrder += 1;
    if (this.#inOrder % GROWS_AFTER === 0) this.#most += 1;
    return { lineCount, again: false };
  }

  /** All lines, or the first of them where earlier attempts got through; else the server's number is the right one. */
  async #startAgain({ firstLine, follows }: Post, answered: number): Promise<Settled> {
    const others = await Promise.all(this.#underWay.map(({ answer }) => answer));
    // One that overtook others may have been refused before those were stored, which they are by now.
    const known = follows ? firstLine : 0;
    const [expected, nextLine] = [this.#nextLine, Math.max(known, answered, ...others)];
    if (nextLine === firstLine && !follows) throw new Error("The server took no line and asks for the same one");
    this.#underWay = [];
    this.#most = 1;
    this.#inOrder = 0;
    this.#nextLine = nextLine;
    if (nextLine >= firstLine && nextLine <= expected) return { lineCount: nextLine - firstLine, again: true };
    this.#options.log.warn({ expected: firstLine, nextLine }, "The server counts this run's log lines differently");
    return { lineCount: 0, again: true };
  }
}
