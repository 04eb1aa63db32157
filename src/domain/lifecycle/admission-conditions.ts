import type { Surroundings } from "../../model/admission/eligibility.ts";
import type { Ground } from "./locked-run.ts";

/** What stands around the runs of a workspace at an instant. */
export function surroundings({ workspace, frozenUntil }: Ground, at: Date): Surroundings {
  const { paused, lock } = workspace;
  return {
    at: at.toISOString(),
    paused,
    lock: lock?.reason ?? null,
    lockRunId: lock?.runId ?? null,
    frozenUntil,
  };
}
