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
  /** The number of keys that are remembered. */
  readonly size: number;
}

/**
 * Limits keys by the generic cell rate algorithm: the only state of a key is the time at which all of its burst is
 * available again. At most `maxKeys` are remembered. The key that was used least recently is forgotten first and then
 * has its whole burst.
 */
export function createRateLimiter({ perMinute, burst }: Rate, maxKeys: number): RateLimiter {
  const msPerPoint = 60_000 / perMinute;
  const burstMs = burst * msPerPoint;
  const fullAt = new Map<string, number>();

  function remember(key: string, at: number): void {
    fullAt.delete(key);
    fullAt.set(key, at);
    if (fullAt.size <= maxKeys) return;
    const [oldest] = fullAt.keys();
    if (oldest !== undefined) fullAt.delete(oldest);
  }

  return {
    take(key, cost, nowMs) {
      const known = fullAt.get(key) ?? nowMs;
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
      const at = fullAt.get(key);
      if (at === undefined) return;
      if (at - cost * msPerPoint <= nowMs) fullAt.delete(key);
      else fullAt.set(key, at - cost * msPerPoint);
    },
    get size() {
      return fullAt.size;
    },
  };
}

/** A clock that was set back by less gives nothing. */
const SET_BACK_MS = 60_000;
const TOLERANCE_MS = 0.001;
const ROUNDING = 1e-6;
