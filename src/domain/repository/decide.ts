/** Decides which runs the changes of refs start. */
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { tagOf } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { isStored, type TriggerDecision } from "../../model/repository/trigger-decision.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { upsertInputsOfWorkspaces } from "../../persistence/inputs/source-inputs-store.ts";
import { findRefChanges } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import {
  claimRefChanges,
  deferRefChange,
  endRefChange,
  failRefChange,
  insertDecisions,
  lockUndecided,
} from "../../persistence/repository/trigger-store.ts";
import { listWorkspacesOfRepository } from "../../persistence/workspace/workspace-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { type Judgement, judgeView, whyNotFollowed, withRepository } from "./judge-change.ts";

/** Decides the changes that are due. Returns their number; those that fail are due again later. */
export async function decideRound(deps: Deps): Promise<number> {
  const now = deps.clock().getTime();
  const at = new Date(now).toISOString();
  const until = new Date(now + LIMITS.decisionMs).toISOString();
  const ids = await deps.database.statement((statement) =>
    claimRefChanges(statement, { at, until }, LIMITS.decisionsAtOnce),
  );
  const changes = ids.length === 0 ? [] : await findRefChanges(deps.database, ids);
  await Promise.all(changes.flatMap((change) => (change === null ? [] : [decideOrDefer(deps, change)])));
  return ids.length;
}

async function decideOrDefer(deps: Deps, change: RefChange): Promise<void> {
  try {
    await decideChange(deps, change);
  } catch (error) {
    if (!(error instanceof UserError)) deps.reportError(error, `deciding ${change.id}`);
    const message =
      error instanceof UserError ? error.message : "The change could not be decided. Read the log of the server.";
    await deps.database.transaction(async (tx) => {
      const failures = await failRefChange(tx, change.id, message.slice(0, LIMITS.textLength));
      const pauseMs = Math.min(LIMITS.decisionRetryMs * 2 ** Math.min(failures, 10), LIMITS.lookRetryMs);
      await deferRefChange(tx, change.id, new Date(deps.clock().getTime() + pauseMs).toISOString());
    });
  }
}

/** A change of which the commits were read. */
interface JudgedChange extends Judgement {
  forced: boolean | null;
}

const NOTHING: JudgedChange = { title: "", forced: null, workspaces: [] };

async function decideChange(deps: Deps, change: RefChange): Promise<void> {
  const [repository = null] = await findRepositories(deps.database, [change.repositoryId]);
  const judged = repository === null ? NOTHING : await judgeChange(deps, repository, change);
  await deps.database.transaction((tx) => recordDecision(tx, deps, change, judged));
}

/** Judges all workspaces that follow a ref. Throws as git does. */
async function judgeChange(
  deps: Deps,
  repository: Repository,
  { ref, before, after }: RefChange,
): Promise<JudgedChange> {
  const all = await listWorkspacesOfRepository(deps.database, repository.id);
  const asked = all.filter((workspace) => whyNotFollowed(workspace, ref) === null);
  if (after === null || asked.length === 0) return NOTHING;
  return withRepository(deps, repository, [ref], async (view) => {
    const judgement = await judgeView(deps, view, { ref, before, after, all, asked, asOf: null });
    const forced = before === null ? false : !(await view.isAncestor(before, after).catch(() => false));
    return { ...judgement, forced };
  });
}

/** Records the verdicts and opens the changeset of the runs, in one transaction: each change starts its runs once. */
async function recordDecision(tx: Transaction, deps: Deps, change: RefChange, judged: JudgedChange): Promise<void> {
  if (!(await lockUndecided(tx, change.id))) return;
  const at = deps.clock().toISOString();
  const { ref, after, organizationId, id: refChangeId } = change;
  const cause = { type: "PUSH", refChangeId, ref, commit: after ?? "" } as const;
  const isTag = tagOf(ref) !== null;
  const members = judged.workspaces.flatMap(({ workspace, verdict }) => {
    if (verdict.outcome === "RUN_CREATED") return [{ workspaceId: workspace.id, cause }];
    if (verdict.reason !== "MESSAGE_SAYS_SKIP") return [];
    return [{ workspaceId: workspace.id, cause, skipReason: verdict.message }];
  });
  const changeset =
    members.length === 0
      ? null
      : await openChangeset(tx, deps, {
          organizationId,
          source: isTag ? "TAG" : "PUSH",
          trigger: isTag ? "TAG" : "PUSH",
          kind: "DEPLOY",
          title: judged.title,
          commit: after,
          members,
          createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
        });
  const decisions = judged.workspaces
    .filter(({ verdict }) => isStored(verdict))
    .map(({ workspace: { id: workspaceId }, verdict, inputs, changed }): TriggerDecision => {
      return { ...verdict, refChangeId, workspaceId, inputsDigest: inputs?.digest ?? null, changed, at };
    });
  await insertDecisions(tx, decisions);
  const read = judged.workspaces.flatMap(({ workspace, verdict, inputs }): [string, SourceInputs][] =>
    inputs !== null && isStored(verdict) ? [[workspace.id, inputs]] : [],
  );
  await upsertInputsOfWorkspaces(tx, new Map(read), at);
  await endRefChange(tx, { id: refChangeId, at, forced: judged.forced, changesetId: changeset?.id ?? null });
}
