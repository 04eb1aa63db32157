/** HOLDPOINT_SKIP_APPLYING=true: a workspace goes through every phase but the apply itself. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findVariable } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";

const SKIP_APPLYING = "HOLDPOINT_SKIP_APPLYING";
export const SKIPPED_REASON = `Not applied: the workspace variable ${SKIP_APPLYING} is true.`;

/** Whether the next step of a run may be an apply, so that the variable matters. */
function isBeforeApply({ kind, status, leg }: Pick<Run, "kind" | "status" | "leg">): boolean {
  const { decidesPlan, approved, runnerBusy, changesInfrastructure } = STATUS_TRAITS[status];
  return decidesPlan ? kind === "DEPLOY" : isApplyLeg(leg) && (approved || (runnerBusy && !changesInfrastructure));
}

/** Whether the workspace skips applies now, not when the run was created. `false` if the next step is no apply. */
export async function skipsApplying(reader: Reader, { cipher }: Pick<Deps, "cipher">, run: Run): Promise<boolean> {
  if (!isBeforeApply(run)) return false;
  const variable = await findVariable(reader, cipher, run.workspaceId, { category: "ENVIRONMENT", key: SKIP_APPLYING });
  return variable?.value === "true";
}
