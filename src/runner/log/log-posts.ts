import type { WrittenLine } from "../../model/log/log-text.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { JobClient, LogTaken } from "../server/job-client.ts";

interface Post {
  readonly firstLine: number;
  readonly lineCount: number;
  /** Others were under way when it was sent. */
  readonly follows: boolean;
  readonly answer: Promise<LogTaken>;
}

/** The result of posts. */
export interface Settled {
  /** So many of the oldest that were posted are stored. */
  readonly lineCount: number;
  /** Those behind them are to be posted again. */
  readonly again: boolean;
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
  #underWay: Post[] = [];
  #nextLine: number;
  /** As the server allows. */
  #atOnce = 1;
  #most = Number.POSITIVE_INFINITY;
  #inOrder = 0;
  /** How often there were too many since several went well. */
  #setbacks = 0;

  constructor(options: LogPostsOptions) {
    this.#options = options;
    this.#nextLine = options.nextLine;
  }

  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  get isFull(): boolean {
    return this.#underWay.length >= Math.min(this.#most, this.#atOnce);
  }

  post(phase: ExecutedPhase, lines: readonly WrittenLine[]): void {
    const [firstLine, follows] = [this.#nextLine, !this.isIdle];
    const answer = this.#options.client.appendLog({ phase, firstLine, lines }, follows);
    // `settle` reports the failure; without a handler here, one of an earlier post would end the process first.
    answer.catch(() => undefined);
    this.#underWay.push({ firstLine, lineCount: lines.length, follows, answer });
    this.#nextLine += lines.length;
  }

  /** Waits for the oldest post, and where it was not taken as it was sent, for all of them. Throws as `appendLog` does. */
  async settle(): Promise<Settled> {
    const post = this.#underWay.shift();
    if (post === undefined) return { lineCount: 0, again: false };
    const { firstLine, lineCount, follows } = post;
    const { nextLine, atOnce } = await post.answer;
    if (nextLine !== firstLine + lineCount) return this.#startAgain(post, nextLine);
    this.#atOnce = atOnce;
    if (follows && atOnce === 1) this.#oneAtATime();
    else if (follows === this.#most > 1) this.#wentWell();
    return { lineCount, again: false };
  }

  #wentWell(): void {
    this.#inOrder += 1;
    if (this.#inOrder < GROWS_AFTER * (this.#most > 1 ? 1 : 2 ** this.#setbacks)) return;
    if (this.#most > 1) this.#setbacks = 0;
    this.#most += 1;
    this.#inOrder = 0;
  }

  #oneAtATime(): void {
    if (this.#most === 1) return;
    this.#most = 1;
    this.#inOrder = 0;
    this.#setbacks += 1;
  }

  /** All lines, or the first of them where earlier attempts got through; else the server's number is the right one. */
  async #startAgain({ firstLine, follows }: Post, answered: number): Promise<Settled> {
    const others = await Promise.all(this.#underWay.map(async ({ answer }) => (await answer).nextLine));
    // One that overtook others may have been refused before those were stored, which they are by now.
    const known = follows ? firstLine : 0;
    const [expected, nextLine] = [this.#nextLine, Math.max(known, answered, ...others)];
    if (nextLine === firstLine && !follows) throw new Error("The server took no line and asks for the same one");
    this.#underWay = [];
    this.#oneAtATime();
    this.#nextLine = nextLine;
    if (nextLine >= firstLine && nextLine <= expected) return { lineCount: nextLine - firstLine, again: true };
    this.#options.log.warn({ expected: firstLine, nextLine }, "The server counts this run's log lines differently");
    return { lineCount: 0, again: true };
  }
}
