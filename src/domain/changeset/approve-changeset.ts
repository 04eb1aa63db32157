import type { Gate } from "../../model/approval/approval.ts";
import { BULK_COMMANDS, type BulkAction, type BulkOperation } from "../../model/bulk/bulk.ts";
import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import type { NewChangesetEvent } from "../../model/run/changeset-event.ts";
import { insertBulkOperation } from "../../persistence/bulk/bulk-store.ts";
import { listMemberRuns, type MemberRun } from "../../persistence/changeset/changeset-member-store.ts";
import { discardMembers, setChangesetDiscarded } from "../../persistence/changeset/changeset-store.ts";
import { findChangesets } from "../../persistence/changeset/seen-changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";
import { recorded, requireSomewhere } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";

export interface ApproveChangesetInput {
  changesetId: string;
  gate: Gate;
  /** `Changeset.version` and `Changeset.planDigest` of what the caller reviewed. */
  version: number;
  planDigest: string;
  comment: string | null;
}

export interface ChangesetOperation {
  changeset: SeenChangeset;
  operation: BulkOperation;
}

/**
 * Approves the plans of a changeset that wait at a gate, if they are exactly those that the caller reviewed. Throws
 * STALE_CHANGESET if one of them was made since. Each run is approved by its own rules, under the rights of the caller.
 */
export function approveChangeset(
  deps: Deps,
  caller: ActorCaller,
  input: ApproveChangesetInput,
): Promise<ChangesetOperation> {
  const { changesetId, gate, version, planDigest, comment } = input;
  const work = { name: "approveChangeset", changesetId, comment, permission: permissionToApprove(gate) } as const;
  return command(deps, caller, { ...work, action: "APPROVE" }, async (tx) => {
    // Before the figures: a plan that is made between the two reads changes the version.
    const isOne = idKind(changesetId) === "changeset";
    const runs = isOne ? await listMemberRuns(tx, scopeOf(caller, "RUN_READ"), changesetId) : [];
    const changeset = await getChangeset(tx, caller, changesetId);
    const { figures } = changeset;
    if (figures.version !== version || figures.planDigest !== planDigest) {
      const message = `The changeset is at version ${figures.version}: a run or a plan is another one. Review it again.`;
      throw new UserError("STALE_CHANGESET", message, { changesetId });
    }
    const waiting = runs.filter((run) => run.gate === gate);
    if (waiting.length === 0) throw invalidField("gate", gateProblem(runs));
    const operation = await operate(tx, deps, caller, { action: "APPROVE", gate, comment }, waiting);
    const workspaceIds = waiting.map(({ workspaceId }) => workspaceId);
    await recordChange(tx, deps, caller, changeset, { change: "APPROVED", gate, workspaceIds });
    return { changeset, operation };
  });
}

export interface DiscardChangesetInput {
  changesetId: string;
  comment: string | null;
}

/**
 * Ends what is not approved of a changeset: runs are cancelled or asked to stop, plans at gates discarded, and runs that do
 * not exist yet are not created. Approved runs continue.
 */
export function discardChangeset(
  deps: Deps,
  caller: ActorCaller,
  { changesetId, comment }: DiscardChangesetInput,
): Promise<ChangesetOperation> {
  const work = { name: "discardChangeset", changesetId, comment, permission: "RUN_CANCEL", action: "CANCEL" } as const;
  return command(deps, caller, work, async (tx) => {
    const before = await getChangeset(tx, caller, changesetId);
    const scope = scopeOf(caller, "RUN_CANCEL");
    const given = await discardMembers(tx, scope, changesetId, "The changeset was discarded.");
    const runs = await listMemberRuns(tx, scope, changesetId);
    const live = runs.filter((run) => !run.hasEnded && !run.isApproved);
    const operation = await operate(tx, deps, caller, { action: "CANCEL", gate: null, comment }, live);
    const isWhole = await setChangesetDiscarded(tx, scope, changesetId, deps.clock().toISOString());
    const workspaceIds = [...given, ...live.map(({ workspaceId }) => workspaceId)];
    if (isWhole || workspaceIds.length > 0) {
      const change = { change: "DISCARDED", gate: null, workspaceIds: isWhole ? null : workspaceIds } as const;
      await recordChange(tx, deps, caller, before, change);
    }
    return { changeset: await getChangeset(tx, caller, changesetId), operation };
  });
}

function command(
  deps: Deps,
  caller: ActorCaller,
  spec: {
    name: string;
    changesetId: string;
    comment: string | null;
    permission: Permission;
    action: "APPROVE" | "CANCEL";
  },
  work: (tx: Transaction) => Promise<ChangesetOperation>,
): Promise<ChangesetOperation> {
  const { name, changesetId, comment, permission, action } = spec;
  return recorded(deps, caller, { name, subjectId: changesetId }, () => {
    requireSomewhere(caller, { permission: "RUN_READ", words: "reading runs" });
    requireSomewhere(caller, { permission, words: BULK_COMMANDS[action].words });
    const check = new InputCheck();
    check.text("comment", comment);
    check.done();
    return deps.database.transaction(work);
  });
}

async function recordChange(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { id: changesetId, organizationId }: SeenChangeset,
  change: Pick<NewChangesetEvent, "change" | "gate" | "workspaceIds">,
): Promise<void> {
  const event = { ...change, changesetId, at: deps.clock().toISOString(), actorId: caller.actor.id };
  await appendChangesetEvent(tx, organizationId, event);
}

/** Throws NOT_FOUND unless the caller may read one of its runs. */
async function getChangeset(tx: Transaction, caller: ActorCaller, id: string): Promise<SeenChangeset> {
  const isOne = idKind(id) === "changeset";
  const [changeset = null] = isOne ? await findChangesets(tx, scopeOf(caller, "RUN_READ"), [id]) : [];
  if (changeset === null) throw notFound("changeset");
  return changeset;
}

async function operate(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  given: { action: BulkAction; gate: Gate | null; comment: string | null },
  runs: readonly MemberRun[],
): Promise<BulkOperation> {
  const createdAt = deps.clock().toISOString();
  const isDone = runs.length === 0;
  const operation: BulkOperation = {
    ...given,
    id: deps.newId("bulkOperation"),
    state: isDone ? "FINISHED" : "RUNNING",
    totalCount: runs.length,
    doneCount: 0,
    succeededCount: 0,
    createdById: caller.actor.id,
    credentialId: caller.credentialId,
    createdAt,
    finishedAt: isDone ? createdAt : null,
  };
  await insertBulkOperation(tx, operation, { key: null, digest: "" }, runs.slice(0, LIMITS.bulkRuns));
  tx.announce("bulk");
  return operation;
}

function gateProblem(runs: readonly Pick<MemberRun, "gate">[]): string {
  const [other] = runs.flatMap((run) => run.gate ?? []);
  const hint = other === undefined ? "None waits at the other one either." : `Runs wait at ${other}.`;
  return `is one at which no run of the changeset waits. ${hint}`;
}
