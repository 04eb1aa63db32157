import { LIMITS } from "../model/kit/limits.ts";
import { type CallerRates, type CallerRateSettings, createCallerRates } from "../model/limit/caller-rates.ts";
import type { LimitSettings } from "./config.ts";

/** Creates the limits of callers from the settings. */
export function callerRatesOf(settings: LimitSettings, clock: () => Date): CallerRates {
  return createCallerRates({ settings: rateSettings(settings), clock, maxKeys: LIMITS.callersKnown });
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
