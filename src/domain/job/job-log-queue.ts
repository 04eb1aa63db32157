/** Collects the concurrent log posts of one job, in the order of their lines. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { LogTextSummary } from "../../model/log/log-text.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";

export interface LogAppendInput {
  phase: ExecutedPhase;
  firstLine: number;
  /** The lines, encoded as in model/log/log-text.ts. */
  text: Buffer;
  summary: LogTextSummary;
  /** Earlier lines were sent and not yet acknowledged. */
  follows: boolean;
}

export interface LogAppendReply {
  ok: boolean;
  nextLine: number;
  /** The number of posts that the runner may have in flight from now on. */
  atOnce: number;
}

/** A post that waits to be stored, with the callbacks that settle its request. */
export interface LogPost extends LogAppendInput {
  caller: JobCaller;
  lastLine: number;
  resolve: (answer: LogAppendReply) => void;
  reject: (error: unknown) => void;
}

/**
 * The unacknowledged posts of one job. They arrive on separate connections and may overtake each other. A post waits
 * briefly for earlier lines if its sender states that they are in flight.
 */
export class JobLogQueue {
  /** Ordered by first line. */
  readonly #posts: LogPost[] = [];
  /** The next line to store, as far as this server knows; `null` if unknown. */
  #nextLine: number | null = null;
  /** Whether to wait for missing lines. `false` after a wait without success. */
  #isPatient = true;
  #arrived = Promise.withResolvers<void>();

  get isEmpty(): boolean {
    return this.#posts.length === 0;
  }

  /**
   * The number of posts that may be in flight. 1 if earlier posts go to another server, where a wait would have no
   * success.
   */
  get atOnce(): number {
    return this.#isPatient ? LIMITS.logPostsAtOnce : 1;
  }

  add(post: LogPost): void {
    const behind = this.#posts.findIndex(({ firstLine }) => firstLine > post.firstLine);
    this.#posts.splice(behind === -1 ? this.#posts.length : behind, 0, post);
    this.#arrived.resolve();
  }

  /** Waits for the lines before the first post, for at most `LIMITS.logGapMs`. */
  async waitForGap(): Promise<void> {
    if (!this.#hasGap()) return;
    const timer = setTimeout(() => {
      this.#isPatient = false;
      this.#arrived.resolve();
    }, LIMITS.logGapMs);
    while (this.#hasGap()) {
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
    clearTimeout(timer);
  }

  /** Removes the first post, and the posts after it that fit into one batch with it. */
  take(): LogPost[] {
    let [count, lines, bytes] = [0, 0, 0];
    for (const { phase, firstLine, summary } of this.#posts) {
      const before = this.#posts[count - 1];
      lines += summary.lineCount;
      bytes += summary.byteCount;
      const follows = before?.phase === phase && before.lastLine === firstLine - 1;
      // Readers rely on a batch having no more lines than a page.
      const fits = lines <= LIMITS.logPageSize && bytes <= LIMITS.logJoinedBytes;
      if (before !== undefined && !(follows && fits)) break;
      count += 1;
    }
    return this.#posts.splice(0, count);
  }

  /**
   * Records the next line after a stored batch; `null` if the lines were repeated, so that the next line is unknown.
   */
  stored(nextLine: number | null): void {
    this.#nextLine = nextLine;
  }

  /** Puts a refused post back if its missing lines may arrive in a moment. Returns whether it did. */
  keeps(post: LogPost, nextLine: number): boolean {
    this.#nextLine = nextLine;
    if (!this.#isPatient || !post.follows || nextLine >= post.firstLine) return false;
    if (this.#posts.length >= LIMITS.logPostsAtOnce) return false;
    this.add(post);
    return true;
  }

  #hasGap(): boolean {
    const [first] = this.#posts;
    if (first === undefined || this.#nextLine === null) return false;
    // More posts than the limit: the sender ignores `atOnce`, so there is no gap to wait for.
    if (!this.#isPatient || this.#posts.length > LIMITS.logPostsAtOnce) return false;
    return first.follows && first.firstLine > this.#nextLine;
  }
}
