import { LIMITS } from "../model/limits.ts";
import type { Hub } from "./hub.ts";

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

/** Watches tokens by the hints of whoever revokes them, on whatever server; now and then it asks without one. */
export function createTokenWatch(hub: Hub, options: TokenWatchOptions): WatchToken {
  const { clock, reportError, checkMs = LIMITS.tokenCheckMs } = options;
  return ({ tokenId, expiresAt }, isLive, onEnd) => {
    const watch = hub.watch(`token:${tokenId}`);
    let disposed = false;
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
      while (!disposed) {
        await watch.changed(Math.max(0, Math.min(checkMs, leftMs())));
        watch.reset();
        if (disposed || (await isLiveStill())) continue;
        if (!disposed) onEnd();
        watch[Symbol.dispose]();
        return;
      }
    }

    void follow();
    return {
      [Symbol.dispose]() {
        disposed = true;
        watch[Symbol.dispose]();
      },
    };
  };
}
