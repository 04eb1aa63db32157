import type { Charge, LimitedKind, OperationCost, Quota } from "./charge.ts";
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
  /** Checks that at least one point is left, and takes none. */
  readonly check: (caller: LimitedCaller) => Charge;
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

const NOTHING: OperationCost = { points: 0, nodes: 0 };

/** Limits callers in the memory of one server. Each of several servers allows all of it. */
export function createCallerRates({
  settings,
  clock,
  maxKeys,
  shedder,
  shedRetryMs = 1000,
}: CallerRatesDeps): CallerRates {
  const limiterOf = (rate: Rate | null): RateLimiter | null =>
    rate === null ? null : createRateLimiter(rate, maxKeys);
  const credentials = limiterOf(settings.credential);
  const organizations = limiterOf(settings.organization);
  const uploads = limiterOf(settings.uploads);
  const counts = new Map<string, OpenCount>();
  const burst = Math.min(settings.credential?.burst ?? Infinity, settings.organization?.burst ?? Infinity);

  function charge({ credentialId, organizationId }: LimitedCaller, cost: OperationCost): Charge {
    const { points } = cost;
    if (points > burst) return { type: "tooExpensive", points, limit: burst };
    const at = clock();
    const now = at.getTime();
    const quotas: Quota[] = [];
    if (points > 0 && cost.urgent !== true && isShed(credentialId, now))
      return { type: "shed", retryAfterMs: shedRetryMs };
    const own = credentials?.take(credentialId, points, now);
    if (own !== undefined) {
      quotas.push(quotaOf("credential", settings.credential, own));
      if (!own.allowed) return { type: "exhausted", whose: "credential", retryAfterMs: own.retryAfterMs, quotas };
    }
    const all = organizationId === null ? undefined : organizations?.take(organizationId, points, now);
    if (all !== undefined) {
      quotas.push(quotaOf("organization", settings.organization, all));
      if (!all.allowed) {
        credentials?.give(credentialId, points, now);
        return { type: "exhausted", whose: "organization", retryAfterMs: all.retryAfterMs, quotas };
      }
    }
    return { type: "charged", cost, at, quotas };
  }

  function isShed(credentialId: string, now: number): boolean {
    const bound = shedder?.bound ?? 1;
    if (bound === 1 || credentials === null || settings.credential === null) return false;
    return 1 - credentials.take(credentialId, 0, now).remaining / settings.credential.burst > bound;
  }

  return {
    settings,
    charge,
    check(caller) {
      const checked = charge(caller, NOTHING);
      if (checked.type !== "charged") return checked;
      const { quotas } = checked;
      const empty = quotas.find(({ remaining }) => remaining < 1);
      if (empty === undefined) return checked;
      const { whose } = empty;
      return { type: "exhausted", whose, retryAfterMs: 60_000 / (settings[whose]?.perMinute ?? 1), quotas };
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

function quotaOf(whose: LimitedKind, rate: Rate | null, { remaining, resetMs }: RateDecision): Quota {
  const { burst, perMinute } = rate ?? { burst: 0, perMinute: 1 };
  return { whose, limit: burst, fullMs: (burst * 60_000) / perMinute, remaining, resetMs };
}
