import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type Blocker, blockersOf } from "../../model/admission/blocker.ts";
import type { BlockerInput } from "../../model/admission/blocker-input.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { type WaitingRunDetails, findWaitingRunDetails } from "../../persistence/dispatch/blocker-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { workspaceContextAt, type WorkspaceContext } from "../lifecycle/machine-input.ts";
import { admissionConditions } from "../lifecycle/admission-conditions.ts";

/** Returns the blockers of each run, by the same rules that decide admission and offers to runners. */
export async function readBlockers(reader: Reader, runs: readonly Run[], now: Date): Promise<Blocker[][]> {
  const workspaces = await findWorkspaces(
    reader,
    runs.map((run) => run.workspaceId),
  );
  const organizations = await findOrganizations(
    reader,
    runs.map((run) => run.organizationId),
  );
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const runners = { runnersSince: before(LIMITS.runnerOfflineMs), knownSince: before(LIMITS.runnerForgottenMs) };
  const contexts = runs.map((_, index) => {
    const workspace = workspaces[index] ?? null;
    const organization = organizations[index] ?? null;
    return workspace === null || organization === null ? null : workspaceContextAt(now, workspace, organization);
  });
  const requests = runs.map((run, index) => ({ run, mayApply: mayApply(contexts[index] ?? null) }));
  const found = await findWaitingRunDetails(reader, requests, { at: now.toISOString(), ...runners });
  return runs.map((run, index) => {
    const context = contexts[index] ?? null;
    const input = found[index] ?? null;
    if (context === null || input === null) return [];
    const conditions = admissionConditions(context, now);
    const { lock } = context.workspace;
    const named = lock === null ? null : { ...lock, ...input.locker };
    const workspace = { lock: named, ...queuePosition(run, input, conditions.paused) };
    return blockersOf({ ...input, run, workspace }, conditions);
  });
}

function mayApply(context: WorkspaceContext | null): boolean {
  return context !== null && context.workspace.lock === null && context.frozenUntil === null;
}

/** Returns the position of a run in its workspace. Approved runs come first, unless the workspace is paused. */
function queuePosition(run: Run, input: WaitingRunDetails, paused: boolean): Omit<BlockerInput["workspace"], "lock"> {
  const { holder, queued, queuedPosition } = input;
  if (run.holdsWorkspace) return { holder: null, ahead: null, position: 1 };
  const approved = paused ? null : input.approved;
  const before = paused ? 0 : input.approvedCount;
  if (STATUS_TRAITS[run.status].queued) return { holder, ahead: approved ?? queued, position: before + queuedPosition };
  return { holder, ahead: approved, position: before + 1 };
}
