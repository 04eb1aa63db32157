import type { Charge, ExhaustedCharge, LimitedKind, OperationCost, Quota, QuotaPolicy } from "./charge.ts";
import { createRateLimiter, type Rate, type RateDecision, type RateLimiter } from "./gcra.ts";
import type { Shedder } from "./shedding.ts";

/** Limits of callers; `null`: there is none. */
export interface CallerRateSettings {
  /** Points of a credential. */
  readonly credential: Rate | null;
  /** Points of all credentials of an organization. */
  readonly organization: Rate | null;
  /** Uploads of a credential. */
  readonly uploads: Rate | null;
  /** Subscriptions that a credential may have open at a time. */
  readonly subscriptions: number | null;
}

/** A caller, as far as its limits need it. */
export interface LimitedCaller {
  readonly credentialId: string;
  /** `null` if it has rights in several organizations, or on the installation. */
  readonly organizationId: string | null;
}

/** The open subscriptions of a credential. All of them share one count. */
export interface OpenCount {
  readonly credentialId: string;
  open: number;
}

export interface CallerRates {
  readonly settings: CallerRateSettings;
  /** Takes the cost from the credential and its organization, or from neither. */
  readonly charge: (caller: LimitedCaller, cost: OperationCost) => Charge;
  /** The charge that refuses a caller without a point; `null` if there is one. Takes none. */
  readonly check: (caller: LimitedCaller) => ExhaustedCharge | null;
  /** Takes an upload. Returns the time until the next is allowed; 0 if this one is. */
  readonly upload: (credentialId: string) => number;
  /** Counts a subscription; `null` if the credential has too many open. */
  readonly open: (credentialId: string) => OpenCount | null;
  /** Ends the count of a subscription. */
  readonly close: (count: OpenCount) => void;
}

export interface CallerRatesDeps {
  settings: CallerRateSettings;
  clock: () => Date;
  /** Credentials and organizations that are remembered, each. */
  maxKeys: number;
  /** Refuses callers while the server is overloaded; absent: none is refused. */
  shedder?: Pick<Shedder, "bound">;
  /** The time after which a caller that was refused for the load may try again. */
  shedRetryMs?: number;
}

/** The points of all credentials, or of all organizations. */
interface Points {
  readonly policy: QuotaPolicy;
  readonly rate: Rate;
  readonly limiter: RateLimiter;
}

/** Limits callers in the memory of one server. Each of several servers allows all of it. */
export function createCallerRates({
  settings,
  clock,
  maxKeys,
  shedder = { bound: 1 },
  shedRetryMs = 1000,
}: CallerRatesDeps): CallerRates {
  const all = (["credential", "organization"] as const).flatMap((whose): Points[] => {
    const rate = settings[whose];
    if (rate === null) return [];
    const policy = { whose, limit: rate.burst, fullMs: (rate.burst * 60_000) / rate.perMinute };
    return [{ policy, rate, limiter: createRateLimiter(rate, maxKeys) }];
  });
  const uploads = settings.uploads === null ? null : createRateLimiter(settings.uploads, maxKeys);
  const counts = new Map<string, OpenCount>();
  const burst = Math.min(...all.map(({ rate }) => rate.burst));

  function charge(caller: LimitedCaller, cost: OperationCost): Charge {
    const { points } = cost;
    if (points > burst) return { type: "tooExpensive", points, limit: burst };
    const at = clock();
    const now = at.getTime();
    if (cost.urgent !== true && isShed(caller, now)) return { type: "shed", retryAfterMs: shedRetryMs };
    const quotas: Quota[] = [];
    for (const { policy, limiter } of all) {
      const key = keyOf(policy.whose, caller);
      if (key === null) continue;
      const decision = limiter.take(key, points, now);
      quotas.push(quotaOf(policy, decision));
      if (decision.allowed) continue;
      giveBack(caller, points, { quotas, now });
      return { type: "exhausted", whose: policy.whose, retryAfterMs: decision.retryAfterMs, quotas };
    }
    return { type: "charged", cost, at, quotas };
  }

  /** Returns the points that were taken before the last of these quotas refused them. */
  function giveBack(caller: LimitedCaller, points: number, { quotas, now }: { quotas: Quota[]; now: number }): void {
    for (const { policy, limiter } of all.slice(0, quotas.length - 1)) {
      const key = keyOf(policy.whose, caller);
      if (key !== null) limiter.give(key, points, now);
    }
  }

  function isShed(caller: LimitedCaller, now: number): boolean {
    const { bound } = shedder;
    if (bound === 1) return false;
    const own = all.find(({ policy }) => policy.whose === "credential");
    return own !== undefined && 1 - own.limiter.take(caller.credentialId, 0, now).remaining / own.rate.burst > bound;
  }

  return {
    settings,
    charge,
    check(caller) {
      const now = clock().getTime();
      const quotas: Quota[] = [];
      for (const { policy, rate, limiter } of all) {
        const key = keyOf(policy.whose, caller);
        if (key === null) continue;
        const quota = quotaOf(policy, limiter.take(key, 0, now));
        quotas.push(quota);
        if (quota.remaining > 0) continue;
        return { type: "exhausted", whose: policy.whose, retryAfterMs: 60_000 / rate.perMinute, quotas };
      }
      return null;
    },
    upload: (credentialId) => uploads?.take(credentialId, 1, clock().getTime()).retryAfterMs ?? 0,
    open(credentialId) {
      const count = counts.get(credentialId) ?? { credentialId, open: 0 };
      if (count.open >= (settings.subscriptions ?? Infinity)) return null;
      count.open += 1;
      counts.set(credentialId, count);
      return count;
    },
    close(count) {
      count.open -= 1;
      if (count.open === 0) counts.delete(count.credentialId);
    },
  };
}

function keyOf(whose: LimitedKind, { credentialId, organizationId }: LimitedCaller): string | null {
  return whose === "credential" ? credentialId : organizationId;
}

function quotaOf(policy: QuotaPolicy, { remaining, resetMs }: RateDecision): Quota {
  return { policy, remaining, resetMs };
}
