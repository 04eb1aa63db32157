/** Decides which runs the changes of refs start. */
import type { Changeset } from "../../model/changeset/changeset.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { tagOf } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { isStored, type TriggerDecision, withBrake } from "../../model/repository/trigger-decision.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import { withdrawHeldMembers } from "../../persistence/changeset/changeset-member-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { upsertInputsOfWorkspaces } from "../../persistence/inputs/source-inputs-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findRefChanges } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import {
  type ClaimedChange,
  claimRefChanges,
  deferRefChange,
  endRefChange,
  failRefChange,
  insertDecisions,
  lockEarlierChanges,
  lockUndecided,
  renewRefChanges,
} from "../../persistence/repository/trigger-store.ts";
import { listWorkspacesOfRepository } from "../../persistence/workspace/workspace-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { GitClosed } from "../kit/git-fetcher.ts";
import { HostSlots } from "./host-slots.ts";
import {
  type JudgedWorkspace,
  type Judgement,
  judgeView,
  settledBefore,
  wasThere,
  whyNotFollowed,
  withRepository,
} from "./judge-change.ts";
import { type HostRounds, leaseName } from "./looks.ts";

/** Creates the decisions of a server, which has a name of its own for its leases. Changes that fail are due again later. */
export function createDecisions(deps: Deps, by = leaseName(deps)): HostRounds {
  const slots = new HostSlots(LIMITS.decisionsAtOnce, LIMITS.decisionsPerHost);
  /** The repositories of the last turn: thousands of tags of one must not hold up the pushes of others. */
  let passed: string[] = [];

  async function claim(without: readonly string[]): Promise<ClaimedChange[]> {
    const { room, limits } = slots;
    if (room === 0) return [];
    const asked = { by, at: after(deps, 0), until: after(deps, LIMITS.decisionMs), passed: without };
    return deps.database.statement((statement) => claimRefChanges(statement, asked, limits, room));
  }

  return {
    async begin(onError) {
      const others = await claim(passed);
      const claimed = others.length > 0 || passed.length === 0 ? others : await claim([]);
      passed = [...new Set(claimed.map(({ repositoryId }) => repositoryId))];
      const ids = claimed.map(({ id }) => id);
      const changes = ids.length === 0 ? [] : await findRefChanges(deps.database, ids);
      for (const [index, { gitHostId }] of claimed.entries()) {
        const change = changes[index] ?? null;
        if (change !== null) slots.take(gitHostId, decideOrDefer(deps, change, by).catch(onError));
      }
      return claimed.length;
    },
    async renew() {
      if (slots.room === LIMITS.decisionsAtOnce) return;
      await deps.database.statement((statement) => renewRefChanges(statement, by, after(deps, LIMITS.decisionMs)));
    },
    freed: () => slots.freed(),
    idle: () => slots.idle(),
    [Symbol.asyncDispose]: () => slots.idle(),
  };
}

function after({ clock }: Pick<Deps, "clock">, ms: number): string {
  return new Date(clock().getTime() + ms).toISOString();
}

async function decideOrDefer(deps: Deps, change: RefChange, by: string): Promise<void> {
  try {
    await decideChange(deps, change, by);
  } catch (error) {
    if (error instanceof GitClosed) {
      await deps.database.transaction(async (tx) => {
        if (await lockUndecided(tx, change.id, by)) await deferRefChange(tx, change.id, after(deps, 0));
      });
      return;
    }
    if (!(error instanceof UserError)) deps.reportError(error, `deciding ${change.id}`);
    const message =
      error instanceof UserError ? error.message : "The change could not be decided. Read the log of the server.";
    await deps.database.transaction(async (tx) => {
      if (!(await lockUndecided(tx, change.id, by))) return;
      const failures = await failRefChange(tx, change.id, message.slice(0, LIMITS.textLength));
      const pauseMs = Math.min(LIMITS.decisionRetryMs * 2 ** Math.min(failures, 10), LIMITS.lookRetryMs);
      await deferRefChange(tx, change.id, after(deps, pauseMs));
    });
  }
}

/** A change of which the commits were read. */
interface JudgedChange extends Judgement {
  /** Whether the ref was there before. */
  isMoved: boolean;
  forced: boolean | null;
}

const NOTHING: JudgedChange = { title: "", isMoved: true, forced: null, workspaces: [] };

async function decideChange(deps: Deps, change: RefChange, by: string): Promise<void> {
  const [repository = null] = await findRepositories(deps.database, [change.repositoryId]);
  const judged = repository === null ? NOTHING : await judgeChange(deps, repository, change);
  await deps.database.transaction((tx) => recordDecision(tx, deps, { change, by }, judged));
}

/** Judges all workspaces that follow a ref. Throws as git does. */
async function judgeChange(deps: Deps, repository: Repository, change: RefChange): Promise<JudgedChange> {
  const { ref, before, after } = change;
  const all = await listWorkspacesOfRepository(deps.database, repository.id);
  const asked = all.filter((workspace) => whyNotFollowed(workspace, ref) === null);
  if (after === null || asked.length === 0) return NOTHING;
  const settled = await settledBefore(deps, change);
  const isMoved = await wasThere(deps.database, change);
  // Thousands of tags may name commits that were read before.
  return withRepository(deps, repository, { ref, commit: after }, async (view) => {
    const judgement = await judgeView(deps, view, { ref, isMoved, after, settled, all, asked, asOf: null });
    const forced = before === null ? false : !(await view.isAncestor(before, after).catch(() => false));
    return { ...judgement, isMoved, forced };
  });
}

/**
 * Records the verdicts and opens the changeset of the runs, in one transaction: each change starts its runs once. A server
 * that has lost its lease records nothing.
 */
async function recordDecision(
  tx: Transaction,
  deps: Deps,
  { change, by }: { change: RefChange; by: string },
  judged: JudgedChange,
): Promise<void> {
  if (!(await lockUndecided(tx, change.id, by))) return;
  const at = deps.clock().toISOString();
  if (!judged.isMoved && (await wasDecidedMeanwhile(tx, change))) {
    await deferRefChange(tx, change.id, at);
    return;
  }
  const [organization = null] = await findOrganizations(tx, [change.organizationId]);
  const workspaces = withBrake(judged.workspaces, organization?.maxRunsPerPush ?? 0);
  const changeset = await openChangesetOf(tx, deps, change, { ...judged, workspaces });
  const stored = workspaces.filter(({ verdict }) => isStored(verdict));
  const decisions = stored.map(({ workspace: { id: workspaceId }, verdict, inputs, changed }): TriggerDecision => {
    return { ...verdict, refChangeId: change.id, workspaceId, inputsDigest: inputs?.digest ?? null, changed, at };
  });
  await insertDecisions(tx, decisions);
  const read = stored.flatMap(({ workspace, inputs }): [string, SourceInputs][] =>
    inputs === null ? [] : [[workspace.id, inputs]],
  );
  await upsertInputsOfWorkspaces(tx, new Map(read), at);
  await withdrawHeld(tx, change, workspaces);
  await endRefChange(tx, { id: change.id, at, forced: judged.forced, changesetId: changeset?.id ?? null });
  // A newer change of the ref has waited for this one.
  tx.announce("repositories");
}

/** Whether a server that was only slow has decided, since this change was judged, the one that created the tag. */
async function wasDecidedMeanwhile(tx: Transaction, change: RefChange): Promise<boolean> {
  if (change.before === null) return false;
  await lockEarlierChanges(tx, change);
  return wasThere(tx, change);
}

const PUSHED = { source: "PUSH", trigger: "PUSH" } as const;
const TAGGED = { source: "TAG", trigger: "TAG" } as const;

/** Opens the changeset of the runs that a change starts; `null` if it starts none. */
async function openChangesetOf(
  tx: Transaction,
  deps: Deps,
  { id: refChangeId, organizationId, ref, after: commit }: RefChange,
  { title, workspaces }: Judgement,
): Promise<Changeset | null> {
  const cause = { type: "PUSH", refChangeId, ref, commit: commit ?? "" } as const;
  const members = workspaces.flatMap(({ workspace: { id: workspaceId }, verdict }) => {
    if (verdict.outcome !== "SKIPPED") return [{ workspaceId, cause }];
    return verdict.reason === "MESSAGE_SAYS_SKIP" ? [{ workspaceId, cause, skipReason: verdict.message }] : [];
  });
  if (members.length === 0) return null;
  const isHeld = workspaces.some(({ verdict }) => verdict.outcome === "WAITING_FOR_OK");
  const kinds = tagOf(ref) === null ? PUSHED : TAGGED;
  return openChangeset(tx, deps, {
    organizationId,
    ...kinds,
    kind: "DEPLOY",
    title,
    commit,
    members,
    createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
    ...(isHeld && { holdAbove: 0 }),
  });
}

/** Gives up runs of earlier commits of the branch that wait for a person: what they would change is judged again here. */
async function withdrawHeld(
  tx: Transaction,
  { id: refChangeId, ref }: RefChange,
  judged: readonly JudgedWorkspace[],
): Promise<void> {
  if (tagOf(ref) !== null) return;
  const superseding = judged.filter(({ workspace }) => workspace.trigger.supersede !== "NOTHING");
  const workspaceIds = superseding.map(({ workspace }) => workspace.id);
  const problem = "A newer commit was pushed before the changeset was continued.";
  if (workspaceIds.length > 0) await withdrawHeldMembers(tx, { refChangeId, workspaceIds, problem });
}
