import { LIMITS } from "../../model/kit/limits.ts";
import { createRateLimiter, type Rate } from "../../model/limit/gcra.ts";
import { HttpError } from "./failure.ts";

/** Limits the requests of an address that prove nothing. Beyond the limit they are refused before a look-up. */
export interface FailureLimit {
  /** Returns the time until the address may send one more; 0 if it may now. */
  waitMs(addressOf: () => string): number;
  /** Counts a request that proved nothing. */
  count(address: string): void;
}

export function createFailureLimit(rate: Rate, clock: () => Date): FailureLimit {
  const failures = createRateLimiter(rate, LIMITS.addressesKnown);
  return {
    waitMs(addressOf) {
      // No address has failed yet: nothing is worked out for requests.
      if (failures.isEmpty) return 0;
      const { remaining } = failures.take(addressOf(), 0, clock().getTime());
      return remaining > 0 ? 0 : 60_000 / rate.perMinute;
    },
    count: (address) => void failures.take(address, 1, clock().getTime()),
  };
}

/** Makes the error of an address that failed too often. `words`: the message, with the seconds to wait. */
export function tooManyFailures(waitMs: number, words: (seconds: number) => string): HttpError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new HttpError(429, "RATE_LIMITED", words(seconds), { "retry-after": `${seconds}` });
}
