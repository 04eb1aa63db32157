import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../../model/kit/entry-limit.ts";
import { LIMITS } from "../../model/kit/limits.ts";

/** The tokens that have no points at the moment. They are refused without a look into the database. */
export interface RefusedTokens {
  /** Remembers a token that has no points until this time has passed. */
  note: (secret: string, retryAfterMs: number) => void;
  /** Returns the time until a token has a point again; 0 if it may have one now. */
  retryAfterMs: (secret: string) => number;
}

/** The time until a point is back, at the lowest rate that a setting may have. */
const LONGEST_MS = 60_000;

/**
 * Creates the memory of refused tokens. A client that sends far more than it may would cost a statement for each request
 * that is refused. A token that is revoked meanwhile is refused as well, so that it gains nothing.
 */
export function createRefusedTokens(clock: () => Date): RefusedTokens {
  const until = new LRUCache<string, number>(atMost(LIMITS.refusedTokensKnown));
  const digestOf = (secret: string): string => hash("sha256", secret, "base64");
  return {
    note: (secret, retryAfterMs) => void until.set(digestOf(secret), clock().getTime() + retryAfterMs),
    retryAfterMs(secret) {
      // No token is refused: nothing is worked out for requests.
      if (until.size === 0) return 0;
      const digest = digestOf(secret);
      const leftMs = (until.get(digest) ?? 0) - clock().getTime();
      // A longer time means that the clock was set back.
      if (leftMs > 0 && leftMs <= LONGEST_MS) return leftMs;
      until.delete(digest);
      return 0;
    },
  };
}
