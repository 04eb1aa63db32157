import { LIMITS } from "../model/limits.ts";
import type { Hub, Watch } from "./hub.ts";

export interface TokenWatchOptions {
  clock: () => Date;
  /** Something unexpected, which the connection survives. */
  reportError: (error: unknown) => void;
  /** How long to wait at most before asking again without a hint. */
  checkMs?: number;
}

/** A token that something long-lived was opened with. */
export interface WatchedToken {
  tokenId: string;
  /** When it ends by itself; absent: never. */
  expiresAt?: string;
}

/** Calls `onEnd` once, soon after the token was revoked or has expired, unless the watch is disposed before. */
export type WatchToken = (token: WatchedToken, isLive: () => Promise<boolean>, onEnd: () => void) => Disposable;

/**
 * Watches tokens by the hints of whoever revokes them, on whatever server; now and then it asks without one. All that
 * was opened with one token is watched at once: ten thousand sockets may have the same.
 */
export function createTokenWatch(hub: Hub, options: TokenWatchOptions): WatchToken {
  const { clock, reportError, checkMs = LIMITS.tokenCheckMs } = options;
  const watched = new Map<string, Watched>();

  function begin(key: string, { tokenId, expiresAt }: WatchedToken, isLive: () => Promise<boolean>): Watched {
    const watch = hub.watch(`token:${tokenId}`);
    const found: Watched = { watch, ends: new Set() };
    watched.set(key, found);
    const leftMs = (): number =>
      expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - clock().getTime();

    async function isLiveStill(): Promise<boolean> {
      try {
        return leftMs() > 0 && (await isLive());
      } catch (error) {
        reportError(error);
        return true;
      }
    }

    async function follow(): Promise<void> {
      while (found.ends.size > 0) {
        await watch.changed(Math.max(0, Math.min(checkMs, leftMs())));
        watch.reset();
        if (found.ends.size === 0 || (await isLiveStill())) continue;
        const ends = [...found.ends];
        forget(key, found);
        for (const { onEnd } of ends) onEnd();
      }
    }

    queueMicrotask(() => void follow());
    return found;
  }

  function forget(key: string, found: Watched): void {
    found.ends.clear();
    if (watched.get(key) === found) watched.delete(key);
    found.watch[Symbol.dispose]();
  }

  return (token, isLive, onEnd) => {
    const key = `${token.tokenId} ${token.expiresAt ?? ""}`;
    const found = watched.get(key) ?? begin(key, token, isLive);
    // Each is an end of its own, also where two share a function.
    const end = { onEnd };
    found.ends.add(end);
    return {
      [Symbol.dispose]() {
        if (found.ends.delete(end) && found.ends.size === 0) forget(key, found);
      },
    };
  };
}

/** One token, and what was opened with it. */
interface Watched {
  watch: Watch;
  ends: Set<{ onEnd: () => void }>;
}
