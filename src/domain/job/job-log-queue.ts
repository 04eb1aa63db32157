/** What one job sends of its log at the same time, in the order of its lines. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { LogTextSummary } from "../../model/log/log-text.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";

export interface LogAppendInput {
  phase: ExecutedPhase;
  firstLine: number;
  /** As model/log-text.ts has it, with what it says of it. */
  text: Buffer;
  summary: LogTextSummary;
  /** Those before it were sent, and were not answered yet. */
  follows: boolean;
}

export interface LogAppendReply {
  ok: boolean;
  nextLine: number;
  /** So many posts may be under way from here on. */
  atOnce: number;
}

/** Lines that wait to be stored, and whoever waits for that. */
export interface LogPost extends LogAppendInput {
  caller: JobCaller;
  lastLine: number;
  resolve: (answer: LogAppendReply) => void;
  reject: (error: unknown) => void;
}

/**
 * Posts of one job that are not answered yet. They come on connections of their own, and one may overtake another: it
 * waits for the other a moment, and only where its sender says that there is one.
 */
export class JobLogQueue {
  /** By their first lines. */
  readonly #posts: LogPost[] = [];
  /** As far as this server knows. */
  #nextLine: number | null = null;
  /** Whether it is worth waiting for lines that are missing: not where that was in vain before. */
  #isPatient = true;
  #arrived = Promise.withResolvers<void>();

  get isEmpty(): boolean {
    return this.#posts.length === 0;
  }

  /** One where what comes before a post goes to another server: each would wait for it in vain. */
  get atOnce(): number {
    return this.#isPatient ? LIMITS.logPostsAtOnce : 1;
  }

  add(post: LogPost): void {
    const behind = this.#posts.findIndex(({ firstLine }) => firstLine > post.firstLine);
    this.#posts.splice(behind === -1 ? this.#posts.length : behind, 0, post);
    this.#arrived.resolve();
  }

  /** Waits until the lines before the first post have come, `LIMITS.logGapMs` at most. */
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

  /** Takes the first post with those that follow it and may be stored as one with it. */
  take(): LogPost[] {
    let [count, lines, bytes] = [0, 0, 0];
    for (const { phase, firstLine, summary } of this.#posts) {
      const before = this.#posts[count - 1];
      lines += summary.lineCount;
      bytes += summary.byteCount;
      const follows = before?.phase === phase && before.lastLine === firstLine - 1;
      // Whoever reads counts on a batch having no more lines than a page.
      const fits = lines <= LIMITS.logPageSize && bytes <= LIMITS.logJoinedBytes;
      if (before !== undefined && !(follows && fits)) break;
      count += 1;
    }
    return this.#posts.splice(0, count);
  }

  /** What was taken is stored; null: it may have been long ago, and nobody knows which line is next. */
  stored(nextLine: number | null): void {
    this.#nextLine = nextLine;
  }

  /** Whether a post that was refused may be the next one in a moment; then it waits with the others. */
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
    // Of more posts than may be under way none is missing: their sender does not keep to what it was told.
    if (!this.#isPatient || this.#posts.length > LIMITS.logPostsAtOnce) return false;
    return first.follows && first.firstLine > this.#nextLine;
  }
}
