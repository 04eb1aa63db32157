import pLimit, { type LimitFunction } from "p-limit";

/** Does the work when there is room for it, in all and for this token. */
export type TokenLimit = <T>(tokenId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits how much work is under way at a time. A token has at most `perToken` pieces under way or in the common line, so
 * many slow ones of one token keep no other token waiting.
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
