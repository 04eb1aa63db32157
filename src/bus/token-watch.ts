import { LIMITS } from "../model/kit/limits.ts";
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
  /** When the token expires; absent: never. */
  expiresAt?: string;
}

/** A socket or a stream that was opened with a token. */
export interface TokenHolder {
  tokenEnded(): void;
}

/** The watch of one token, shared by all of its holders. */
export interface TokenWatch {
  /** The holder wants to know no more. */
  leave(holder: TokenHolder): void;
}

/** Notifies the holder once, soon after the token was revoked or has expired, unless it has left before. */
export type WatchToken = (token: WatchedToken, isLive: () => Promise<boolean>, holder: TokenHolder) => TokenWatch;

/**
 * Watches tokens by the hints of the server that revokes them; at an interval it asks without one. All that
 * was opened with one token is watched at once: ten thousand sockets may have the same.
 */
export function createTokenWatch(hub: Hub, options: TokenWatchOptions): WatchToken {
  const { clock, reportError, checkMs = LIMITS.tokenCheckMs } = options;
  const watched = new Map<string, Watched>();

  function begin(key: string, { tokenId, expiresAt }: WatchedToken, isLive: () => Promise<boolean>): Watched {
    const watch = hub.watch(`token:${tokenId}`);
    const holders = new Set<TokenHolder>();
    const found: Watched = {
      watch,
      holders,
      leave: (holder) => {
        if (holders.delete(holder) && holders.size === 0) forget(key, found);
      },
    };
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
      while (holders.size > 0) {
        await watch.changed(Math.max(0, Math.min(checkMs, leftMs())));
        watch.reset();
        if (holders.size === 0 || (await isLiveStill())) continue;
        const ended = [...holders];
        forget(key, found);
        for (const holder of ended) holder.tokenEnded();
      }
    }

    queueMicrotask(() => void follow());
    return found;
  }

  function forget(key: string, found: Watched): void {
    found.holders.clear();
    if (watched.get(key) === found) watched.delete(key);
    found.watch[Symbol.dispose]();
  }

  return (token, isLive, holder) => {
    const key = `${token.tokenId} ${token.expiresAt ?? ""}`;
    const found = watched.get(key) ?? begin(key, token, isLive);
    found.holders.add(holder);
    return found;
  };
}

/** One token, and what was opened with it. */
interface Watched extends TokenWatch {
  watch: Watch;
  holders: Set<TokenHolder>;
}
