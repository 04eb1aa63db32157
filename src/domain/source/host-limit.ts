import pLimit, { type LimitFunction } from "p-limit";
import type { GitUrl } from "../../model/workspace/git-source.ts";

/** Waits for a turn, and does the work. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Limits work at a time, of which one host takes only a part: a host that hangs must not hold up others. */
export class HostLimit {
  readonly #all: LimitFunction;
  readonly #perHost: number;
  readonly #hosts = new Map<string, { limit: LimitFunction; users: number }>();

  constructor(most: number, perHost: number) {
    this.#all = pLimit(most);
    this.#perHost = perHost;
  }

  /** Returns the limit for the host of an address; folders of the server have all of it. */
  of({ protocol, url }: GitUrl): InTurn {
    if (protocol === "file") return (work) => this.#all(work);
    const host = hostOf(url);
    return async (work) => {
      const own = this.#hosts.get(host) ?? { limit: pLimit(this.#perHost), users: 0 };
      this.#hosts.set(host, own);
      own.users += 1;
      try {
        return await own.limit(() => this.#all(work));
      } finally {
        own.users -= 1;
        if (own.users === 0) this.#hosts.delete(host);
      }
    };
  }
}

function hostOf(url: string): string {
  // The form git@host:path is no URL.
  return URL.canParse(url) ? new URL(url).host : url.slice(url.indexOf("@") + 1, url.indexOf(":"));
}
