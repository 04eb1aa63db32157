/** How much a key may use: `perMinute` points on average, and up to `burst` at once. */
export interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

/** The outcome of a check. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Points that are left now. */
  readonly remaining: number;
  /** The time until the same cost is allowed; 0 if it was allowed, infinite if it exceeds the burst. */
  readonly retryAfterMs: number;
  /** The time until all of the burst is available again. */
  readonly resetMs: number;
}

export interface RateLimiter {
  /** Takes the cost from the key if enough is left, and nothing otherwise. */
  take(key: string, cost: number, nowMs: number): RateDecision;
  /** Returns a cost that was taken from the key. */
  give(key: string, cost: number, nowMs: number): void;
  /** Whether no key is remembered: each has its whole burst. */
  readonly isEmpty: boolean;
}

/**
 * Limits keys by the generic cell rate algorithm: the only state of a key is the time at which all of its burst is
 * available again. The `maxKeys` keys that were used last are remembered, and at most as many of those before. A key that
 * is forgotten has its whole burst.
 */
export function createRateLimiter({ perMinute, burst }: Rate, maxKeys: number): RateLimiter {
  const msPerPoint = 60_000 / perMinute;
  const burstMs = burst * msPerPoint;
  // Two generations: to forget the oldest key of a single map, its iterator passes all that were deleted before.
  let fullAt = new Map<string, number>();
  let former = new Map<string, number>();

  const find = (key: string): number | undefined => fullAt.get(key) ?? former.get(key);

  function remember(key: string, at: number): void {
    fullAt.set(key, at);
    if (fullAt.size < maxKeys) return;
    former = fullAt;
    fullAt = new Map();
  }

  return {
    take(key, cost, nowMs) {
      const known = find(key) ?? nowMs;
      // It is never further ahead than a whole burst, unless the clock was set back.
      const start = known > nowMs + burstMs + SET_BACK_MS ? nowMs : Math.max(known, nowMs);
      const end = start + cost * msPerPoint;
      const excessMs = end - nowMs - burstMs;
      // Sums of fractions of a millisecond must not refuse the last point of a burst.
      const allowed = excessMs <= TOLERANCE_MS;
      const resetMs = (allowed ? end : start) - nowMs;
      if (allowed && cost > 0) remember(key, end);
      const retryAfterMs = allowed ? 0 : cost > burst ? Number.POSITIVE_INFINITY : excessMs;
      return {
        allowed,
        remaining: Math.max(0, Math.floor((burstMs - resetMs) / msPerPoint + ROUNDING)),
        retryAfterMs,
        resetMs,
      };
    },
    give(key, cost, nowMs) {
      const at = find(key);
      if (at === undefined) return;
      const before = at - cost * msPerPoint;
      if (before > nowMs) return remember(key, before);
      fullAt.delete(key);
      former.delete(key);
    },
    get isEmpty() {
      return fullAt.size === 0 && former.size === 0;
    },
  };
}

/** A clock that was set back by less gives nothing. */
const SET_BACK_MS = 60_000;
const TOLERANCE_MS = 0.001;
const ROUNDING = 1e-6;
