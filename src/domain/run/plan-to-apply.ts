/** Reads the plan of a finished PLAN run for a run of kind APPLY. */
import { idKind } from "../../model/kit/id.ts";
import { type Plan, staleReason } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { holdArchive } from "../../persistence/plan/archive-store.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { findRun, getRunInput } from "../../persistence/run/run-store.ts";
import { getRunHooks } from "../../persistence/workspace/hook-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { RunOrder } from "../lifecycle/queue-run.ts";
import { readAllRunVariables } from "../variables/run-variables.ts";

interface PlannedRun {
  run: Run;
  plan: Plan;
}

/** Returns the PLAN run that a caller names. Throws INVALID_INPUT, with one message for every reason. */
export async function getPlannedRun(reader: Reader, workspaceId: string, planRunId: string): Promise<PlannedRun> {
  const run = idKind(planRunId) === "run" ? await findRun(reader, planRunId) : null;
  const fits = run?.workspaceId === workspaceId && run.kind === "PLAN" && run.outcome === "PLANNED";
  const plan = fits ? await findNewestPlan(reader, run.id) : null;
  if (run === null || plan === null) {
    throw invalidField("planRunId", "must be a PLAN run of this workspace that finished with changes to apply.");
  }
  return { run, plan };
}

/**
 * Prevents the files of the plan from being removed until the transaction ends. Throws INVALID_INPUT if they are gone.
 */
export async function holdPlan(tx: Transaction, { plan }: PlannedRun): Promise<void> {
  const expiredAt = await holdArchive(tx, plan.id);
  if (expiredAt === null) return;
  const date = expiredAt.slice(0, 10);
  throw invalidField(
    "planRunId",
    `must be a run whose plan is still kept; this one's is not since ${date}. Plan again.`,
  );
}

/**
 * Throws STALE_PLAN, with the PLAN run, if the state of the workspace has moved. The workspace's row must be locked.
 */
export function requireFresh({ run, plan }: PlannedRun, workspace: Workspace): void {
  const stale = staleReason(plan, workspace);
  if (stale !== null) throw new UserError("STALE_PLAN", stale, { runId: run.id });
}

type PlannedOrder = Pick<
  RunOrder,
  | "kind"
  | "revision"
  | "targets"
  | "replace"
  | "refreshOnly"
  | "command"
  | "planRunId"
  | "planVersion"
  | "source"
  | "variables"
  | "hooks"
>;

/** Returns what an APPLY takes from its PLAN run: the input of the plan, and the hooks shown with it. */
export async function applyOrder(reader: Reader, deps: Deps, { run, plan }: PlannedRun): Promise<PlannedOrder> {
  return {
    kind: "APPLY",
    revision: run.revision,
    targets: run.targets,
    replace: run.replace,
    refreshOnly: run.refreshOnly,
    command: null,
    planRunId: run.id,
    planVersion: plan.version,
    source: (await getRunInput(reader, run.id)).source,
    variables: await readAllRunVariables(reader, deps, run.id),
    hooks: await getRunHooks(reader, run.id),
  };
}
