import { LIMITS } from "../model/kit/limits.ts";
import { type CallerRates, type CallerRateSettings, createCallerRates } from "../model/limit/caller-rates.ts";
import { createShedder } from "../model/limit/shedding.ts";
import type { LimitSettings } from "./config.ts";
import { startLoadWatch } from "./load-watch.ts";

/** Creates the limits of callers from the settings. It watches the load of the process until it is disposed. */
export function openCallerRates(settings: LimitSettings, clock: () => Date): CallerRates & Disposable {
  const shedder = createShedder();
  const { shedRetryMs, callersKnown: maxKeys } = LIMITS;
  const rates = createCallerRates({ settings: rateSettings(settings), clock, maxKeys, shedder, shedRetryMs });
  const watch = startLoadWatch(shedder);
  return { ...rates, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}

function rateSettings(limits: LimitSettings): CallerRateSettings {
  const { pointsPerMinute, pointsAtOnce, organizationPointsPerMinute, uploadsPerHour, subscriptions } = limits;
  const rate = (perMinute: number, burst: number) => (perMinute === 0 ? null : { perMinute, burst });
  return {
    credential: rate(pointsPerMinute, pointsAtOnce),
    organization: rate(organizationPointsPerMinute, pointsAtOnce * LIMITS.organizationBurst),
    uploads: rate(uploadsPerHour / 60, uploadsPerHour),
    subscriptions: subscriptions === 0 ? null : subscriptions,
  };
}
