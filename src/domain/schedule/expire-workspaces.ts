import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { decideExpiry, type Expiry, EXPIRY_TRIES, type ExpiryUse } from "../../model/workspace/expiry.ts";
import { refuseDeletion, type WorkspaceRefusal } from "../../model/workspace/workspace-use.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findDueExpiry, listDueExpiries, setExpiry } from "../../persistence/workspace/expiry-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueExpiryWebhooks } from "../lifecycle/enqueue-webhooks.ts";
import { withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { refuseDependents } from "../workspace/dependents-refusal.ts";
import { removeWorkspace } from "../workspace/remove-workspace.ts";

/** Does the steps of expiries that are due, each in a transaction of its own. */
export async function expireWorkspaces(deps: Deps): Promise<void> {
  const due = await listDueExpiries(deps.database, deps.clock().toISOString(), LIMITS.expiriesByRound);
  for (const workspaceId of due) {
    // One that fails must not keep the others.
    await deps.database
      .transaction((tx) => expire(tx, deps, workspaceId))
      .catch((error: unknown) => deps.reportError(error, `the expiry of ${workspaceId}`));
  }
}

async function expire(tx: Transaction, deps: Deps, workspaceId: string): Promise<void> {
  const locked = await lockKeptWorkspace(tx, workspaceId);
  if (locked === null) return setExpiry(tx, workspaceId, null, { dueAt: null, problem: null });
  const at = deps.clock();
  const expiry = await findDueExpiry(tx, workspaceId, at.toISOString());
  // It was extended, or another server was first.
  if (expiry === null) return;
  const workspace = withoutExpiredLock(locked, at);
  const refusal =
    (await refuseDependents(tx, workspaceId)) ??
    refuseDeletion(workspace.lock, await getWorkspaceUse(tx, workspaceId), false);
  const { step, after, dueAt } = decideExpiry(expiry, useOf(refusal), at);
  if (step === "DELETE") return removeWorkspace(tx, deps, workspace, SYSTEM_ACTOR_ID);
  const isOver = at.toISOString() >= expiry.expiresAt;
  const problem = isOver && refusal !== null ? problemOf(step === "GIVE_UP", refusal) : null;
  await setExpiry(tx, workspaceId, after, { dueAt, problem });
  if (problem !== workspace.expiryProblem) {
    await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["expiryProblem"]);
  }
  if (step === "REMIND") await enqueueExpiryWebhooks(tx, deps, workspace, "workspace.expiring", expiry);
  if (step === "GIVE_UP") await enqueueExpiryWebhooks(tx, deps, workspace, "workspace.expiry.failed", expiry);
  if (step === "DESTROY") await destroy(tx, deps, workspace, expiry);
}

function useOf(refusal: WorkspaceRefusal | null): ExpiryUse {
  if (refusal === null) return "EMPTY";
  return refusal.code === "INVALID_INPUT" && refusal.field === "force" ? "FULL" : "BUSY";
}

function problemOf(isLast: boolean, refusal: WorkspaceRefusal): string | null {
  if (isLast) {
    return `Its resources could not be destroyed in ${EXPIRY_TRIES} tries. Destroy them, or set another \`expiresAt\`.`;
  }
  if (useOf(refusal) !== "BUSY") return null;
  const isField = refusal.code === "INVALID_INPUT";
  return `The workspace is in use, and is destroyed afterwards. ${isField ? `It ${refusal.reason}` : refusal.reason}`;
}

async function destroy(
  tx: Transaction,
  deps: Deps,
  { id: workspaceId, name, organizationId }: Workspace,
  { expiresAt, setById }: Expiry,
): Promise<void> {
  await openChangeset(tx, deps, {
    organizationId,
    source: "SCHEDULE",
    title: `The workspace ${name} has expired`,
    commit: null,
    kind: "DESTROY",
    trigger: "SCHEDULE",
    members: [{ workspaceId, cause: { type: "EXPIRY", expiresAt, setById } }],
    createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
  });
}
