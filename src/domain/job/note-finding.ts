/** Takes what a runner finds out during a leg, without a change of the status of its run. */
import { phaseOf } from "../../model/run/phase-of-run.ts";
import type { ScanResult } from "../../model/run/scan.ts";
import type { TestReport } from "../../model/run/test-report.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { JobRow } from "../../persistence/dispatch/job-store.ts";
import { putScan } from "../../persistence/plan/scan-store.ts";
import { putTestReport } from "../../persistence/plan/test-report-store.ts";
import { setFoundShape } from "../../persistence/workspace/found-shape-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { recordPhase, recordUpdate } from "../lifecycle/record-transition.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { JobError } from "./job-error.ts";

export type Finding =
  /** The tests of the configuration begin. */
  { type: "testing" } | { type: "tested"; tests: TestReport } | { type: "scanned"; scan: ScanResult };

/** Throws OUT_OF_ORDER for a run that no runner works on. */
export async function noteFinding(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  { runnerId }: JobRow,
  finding: Finding,
): Promise<void> {
  const { run } = locked;
  if (!STATUS_TRAITS[run.status].runnerBusy) throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
  if (finding.type === "scanned") return noteScan(tx, deps, locked, finding.scan);
  if (phaseOf(run.status, run.leg) !== "INIT") throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
  if (finding.type === "testing") {
    await recordPhase(tx, deps, run, { kind: "TEST", runnerId });
    return;
  }
  await putTestReport(tx, run.id, finding.tests);
  await recordUpdate(tx, deps, run, changed("tests"));
}

/** The shape of what a DEPLOY deploys becomes that of its workspace, unless a person has set one. */
async function noteScan(tx: Transaction, deps: Deps, { run, workspace }: LockedRun, scan: ScanResult): Promise<void> {
  await putScan(tx, run.id, scan);
  await recordUpdate(tx, deps, run, changed("scan"));
  if (run.kind !== "DEPLOY" || scan.shape === null) return;
  const { shape, hasStartCommand } = scan;
  if (workspace.foundShape === shape && workspace.foundStartCommand === hasStartCommand) return;
  await setFoundShape(tx, workspace.id, { shape, hasStartCommand });
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["deployShape", "deployTarget"]);
}

function changed(field: string) {
  return { actorId: SYSTEM_ACTOR_ID, events: [{ type: "CHANGED" as const, fields: [field] }] };
}
