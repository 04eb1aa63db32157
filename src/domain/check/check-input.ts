import { CHECK_STAGES, type CheckStage } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";

export function checkStages(check: InputCheck, stages: readonly CheckStage[]): void {
  const names = CHECK_STAGES.join(", ");
  check.require(stages.length > 0, "stages", `must name at least one stage of ${names}.`);
  check.require(new Set(stages).size === stages.length, "stages", `must name each stage of ${names} once.`);
}

/** Checks that a check that estimates costs is asked about plans in time. */
export function checkEstimates(check: InputCheck, estimatesCost: boolean, stages: readonly CheckStage[]): void {
  const ok = !estimatesCost || stages.includes("POST_PLAN");
  check.require(ok, "estimatesCost", "needs the stage POST_PLAN in stages: policies wait for the estimate there.");
}

/** Checks a key that signs requests; `null`: they are not signed. */
export function checkHmacKey(check: InputCheck, key: string | null): void {
  const { least, most } = LIMITS.checkKeyLength;
  const ok = key === null || (key.length >= least && key.length <= most && isStorable(key));
  check.require(ok, "hmacKey", `must have ${least} to ${most} characters.`);
}

export function checkTimes(check: InputCheck, progressSeconds: number, totalSeconds: number): void {
  const { least, most } = LIMITS.checkSeconds;
  const isWithin = (seconds: number): boolean => seconds >= least && seconds <= most;
  check.require(isWithin(progressSeconds), "progressSeconds", `must be from ${least} to ${most}.`);
  check.require(isWithin(totalSeconds), "totalSeconds", `must be from ${least} to ${most}.`);
  check.require(progressSeconds <= totalSeconds, "progressSeconds", "must be at most totalSeconds.");
}
