import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type Blocker, blockersOf } from "../../model/admission/blocker.ts";
import type { BlockerFacts } from "../../model/admission/blocker-input.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { type WaitingFacts, waitingFacts } from "../../persistence/dispatch/blocker-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { type Ground, groundAt } from "../lifecycle/locked-run.ts";
import { surroundings } from "../lifecycle/admission-conditions.ts";

/** Why each run waits, by what decides whether it is admitted and offered to runners. */
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
  const grounds = runs.map((_, index) => {
    const workspace = workspaces[index] ?? null;
    const organization = organizations[index] ?? null;
    return workspace === null || organization === null ? null : groundAt(now, workspace, organization);
  });
  const asked = runs.map((run, index) => ({ run, mayApply: mayApply(grounds[index] ?? null) }));
  const found = await waitingFacts(reader, asked, { at: now.toISOString(), ...runners });
  return runs.map((run, index) => {
    const ground = grounds[index] ?? null;
    const facts = found[index] ?? null;
    if (ground === null || facts === null) return [];
    const around = surroundings(ground, now);
    const { lock } = ground.workspace;
    const named = lock === null ? null : { ...lock, ...facts.locker };
    const workspace = { lock: named, ...standing(run, facts, around.paused) };
    return blockersOf({ ...facts, run, workspace }, around);
  });
}

function mayApply(ground: Ground | null): boolean {
  return ground !== null && ground.workspace.lock === null && ground.frozenUntil === null;
}

/** Where a run stands among those that want its workspace: the approved come first, unless nothing goes on at all. */
function standing(run: Run, facts: WaitingFacts, paused: boolean): Omit<BlockerFacts["workspace"], "lock"> {
  const { holder, queued, queuedPosition } = facts;
  if (run.holdsWorkspace) return { holder: null, ahead: null, position: 1 };
  const approved = paused ? null : facts.approved;
  const before = paused ? 0 : facts.approvedCount;
  if (STATUS_TRAITS[run.status].queued) return { holder, ahead: approved ?? queued, position: before + queuedPosition };
  return { holder, ahead: approved, position: before + 1 };
}
