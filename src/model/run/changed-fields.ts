import type { Run } from "./run.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";
import { isTerminal, STATUS_TRAITS } from "../lifecycle/run-status.ts";

type ChangedRun = Pick<Run, "kind" | "status" | "holdsWorkspace">;

/** Whether runs of this kind affect the deployment status. */
const DEPLOYS: Record<RunKind, boolean> = {
  DEPLOY: true,
  DESTROY: true,
  APPLY: true,
  PLAN: false,
  TASK: false,
  UNLOCK: false,
};

function isExecuting({ status }: ChangedRun): boolean {
  return !isTerminal(status) && STATUS_TRAITS[status].gate === null;
}

/**
 * Returns the fields of a workspace that a change of its run may have changed; `before` is `null` for a new run. A
 * named field may be unchanged, because other runs matter too; no changed field is missing.
 */
export function changedWorkspaceFields(before: ChangedRun | null, after: ChangedRun): string[] {
  const fields: string[] = [];
  if ((before?.holdsWorkspace ?? false) !== after.holdsWorkspace) fields.push("currentRun");
  const wasExecuting = before !== null && isExecuting(before);
  const ended = isTerminal(after.status) && before?.status !== after.status;
  if (DEPLOYS[after.kind] && (ended || wasExecuting !== isExecuting(after))) fields.push("deploymentStatus");
  return fields;
}
