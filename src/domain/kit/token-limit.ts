import pLimit, { type LimitFunction } from "p-limit";

/** Runs the work once the total limit and the limit of the token allow it. */
export type TokenLimit = <T>(tokenId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits concurrent work. A token has at most `perToken` pieces running or queued for the total limit, so its slow work
 * does not delay other tokens.
 */
export function createTokenLimit({ total, perToken }: { total: number; perToken: number }): TokenLimit {
  const common = pLimit(total);
  const tokens = new Map<string, { limit: LimitFunction; count: number }>();
  return async (tokenId, work) => {
    const own = tokens.get(tokenId) ?? { limit: pLimit(perToken), count: 0 };
    tokens.set(tokenId, own);
    own.count += 1;
    try {
      return await own.limit(() => common(work));
    } finally {
      own.count -= 1;
      if (own.count === 0) tokens.delete(tokenId);
    }
  };
}
