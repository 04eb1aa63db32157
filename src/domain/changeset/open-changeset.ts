import type { Changeset, ChangesetMember } from "../../model/changeset/changeset.ts";
import { type MemberOrdering, wavesOf } from "../../model/dependency/dependency.ts";
import { insertOrderings } from "../../persistence/changeset/changeset-order-store.ts";
import { listDependenciesAmong, listIdsBetween } from "../../persistence/dependency/dependency-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";
import { insertMembers } from "../../persistence/changeset/changeset-member-store.ts";
import { type ChangesetRequest, insertChangeset } from "../../persistence/changeset/changeset-store.ts";
import type { Deps } from "../kit/deps.ts";

/** A workspace of a new changeset. */
export type MemberOrder = Pick<ChangesetMember, "workspaceId"> &
  Partial<Pick<ChangesetMember, "cause" | "source" | "scheduledAt" | "skipReason" | "isByEdge">>;

/** A new changeset: its cause, what its runs do, and its workspaces, which must be of its organization. */
export interface ChangesetOrder
  extends Pick<Changeset, "organizationId" | "source" | "title" | "commit" | "kind" | "trigger">,
    Partial<Pick<Changeset, "refreshOnly" | "command" | "priority" | "originId">> {
  members: readonly MemberOrder[];
  /**
   * The actor that is shown, and the token or session whose rights each run takes when it is created. The system, for a
   * push or a schedule, has no credential and needs no rights.
   */
  createdBy: { actorId: string; credentialId: string | null };
  request?: ChangesetRequest;
  /** With more members the creation of the runs waits for a person (`continueChangeset`); absent: never. */
  holdAbove?: number;
}

/**
 * Opens a changeset in the transaction of its cause: both are committed, or neither. It has at least one member. Its runs
 * are created afterwards by the workers of changesets, in batches.
 */
export async function openChangeset(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "newId">,
  { members: given, createdBy, request = { key: null, digest: "" }, holdAbove, ...order }: ChangesetOrder,
): Promise<Changeset> {
  if (given.length === 0) throw new Error("A changeset needs at least one workspace.");
  const createdAt = deps.clock().toISOString();
  const changeset: Changeset = {
    refreshOnly: false,
    command: null,
    priority: 0,
    originId: null,
    ...order,
    id: deps.newId("changeset"),
    createdById: createdBy.actorId,
    credentialId: createdBy.credentialId,
    createdAt,
    heldAt: holdAbove !== undefined && given.length > holdAbove ? createdAt : null,
    appliedAt: null,
    discardedAt: null,
    passedAt: null,
  };
  await insertChangeset(tx, changeset, request);
  const members = [...given, ...(await readBetween(tx, changeset, given))];
  const orderings = await readOrderings(tx, changeset, members);
  const waves = wavesOf(
    members.map(({ workspaceId }) => workspaceId),
    orderings,
  );
  await insertOrderings(tx, changeset.id, orderings);
  await insertMembers(
    tx,
    members.map(
      ({ workspaceId, cause = null, source = null, scheduledAt = null, skipReason = null, isByEdge = false }) => {
        return {
          changesetId: changeset.id,
          workspaceId,
          wave: waves.get(workspaceId) ?? 0,
          cause,
          source,
          scheduledAt,
          skipReason,
          isByEdge,
        };
      },
    ),
  );
  const event = {
    changesetId: changeset.id,
    at: createdAt,
    actorId: createdBy.actorId,
    gate: null,
    workspaceIds: null,
  };
  await appendChangesetEvent(tx, changeset.organizationId, { ...event, change: "CREATED" });
  if (changeset.heldAt !== null) await appendChangesetEvent(tx, changeset.organizationId, { ...event, change: "HELD" });
  tx.announce("changesets");
  return changeset;
}

/**
 * The workspaces on the ways between members, so that a change reaches the last of them in order. Members of a person are
 * those that it named: the others may be none of its business.
 */
async function readBetween(
  tx: Transaction,
  { kind, credentialId }: Pick<Changeset, "kind" | "credentialId">,
  members: readonly MemberOrder[],
): Promise<MemberOrder[]> {
  const ids = members.flatMap(({ workspaceId, skipReason = null }) => (skipReason === null ? [workspaceId] : []));
  if (kind !== "DEPLOY" || credentialId !== null || ids.length < 2) return [];
  const named = new Set(members.map(({ workspaceId }) => workspaceId));
  const between = (await listIdsBetween(tx, ids)).filter((id) => !named.has(id));
  return between.map((workspaceId) => ({ workspaceId, isByEdge: true }));
}

/** The order of the members: each after those that it depends on. Plans alone change nothing, and need no order. */
async function readOrderings(
  tx: Transaction,
  { kind }: Pick<Changeset, "kind">,
  members: readonly MemberOrder[],
): Promise<MemberOrdering[]> {
  if (kind === "PLAN") return [];
  const dependencies = await listDependenciesAmong(
    tx,
    members.map(({ workspaceId }) => workspaceId),
  );
  return dependencies.map(({ upstreamId, downstreamId, trigger }) =>
    kind === "DESTROY"
      ? { workspaceId: upstreamId, afterId: downstreamId, ignoresFailure: false }
      : { workspaceId: downstreamId, afterId: upstreamId, ignoresFailure: trigger === "NEVER" },
  );
}
