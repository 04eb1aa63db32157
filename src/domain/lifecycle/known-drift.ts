/** Whether people know of the drift that a check found. */
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findAcknowledgements, putAcknowledgement } from "../../persistence/plan/drift-acknowledgement-store.ts";
import { findReportsOfRuns, listDriftedAddresses } from "../../persistence/plan/drift-report-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { partOf, type ReadDrift, readDrift } from "./read-drift.ts";

/**
 * Whether an acknowledgement covers what a check found. One of the open finding also covers what is left of it: it is then
 * stored for the rest, for as long.
 */
export async function isKnownDrift(
  tx: Transaction,
  workspace: Workspace,
  found: ReadDrift,
  at: string,
): Promise<boolean> {
  const workspaceId = workspace.id;
  if ((await acknowledgementOf(tx, workspaceId, found.fingerprint, at)) !== null) return true;
  const { drift } = workspace;
  if (drift === null || found.fingerprint === "") return false;
  const before = await acknowledgementOf(tx, workspaceId, drift.fingerprint, at);
  if (before === null || !(await isPartOf(tx, workspace, drift.runId, found))) return false;
  await putAcknowledgement(tx, { ...before, fingerprint: found.fingerprint });
  return true;
}

async function acknowledgementOf(tx: Transaction, workspaceId: string, fingerprint: string, at: string) {
  const [found = null] = await findAcknowledgements(tx, [{ workspaceId, fingerprint }], at);
  return found;
}

/** Whether the report of an earlier check showed all of a drift, with equal values. */
async function isPartOf(
  tx: Transaction,
  { driftSettings }: Workspace,
  runId: string,
  { resources, outputs }: ReadDrift,
): Promise<boolean> {
  const [report = null] = await findReportsOfRuns(tx, [runId]);
  const plan = await findNewestPlan(tx, runId);
  if (report === null || plan === null) return false;
  if (!outputs.every((name) => report.outputs.includes(name))) return false;
  // The report has no values, and its plan shows also what was ignored then: both are needed.
  const shown = new Set(await listDriftedAddresses(tx, report.id));
  const earlier = await readDrift(tx, plan, { ...driftSettings, ignore: [] });
  const parts = new Set(earlier.resources.map((resource) => JSON.stringify(partOf(resource))));
  return resources.every((resource) => shown.has(resource.address) && parts.has(JSON.stringify(partOf(resource))));
}
