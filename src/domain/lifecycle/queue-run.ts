import { STATUS_OF } from "../../model/lifecycle/run-status.ts";
import type { Hook } from "../../model/workspace/hook.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { personOf } from "../../model/people/sponsor.ts";
import { changedWorkspaceFields } from "../../model/run/changed-fields.ts";
import type { Run } from "../../model/run/run.ts";
import { FIRST_LEG } from "../../model/lifecycle/run-kind.ts";
import type { Variable, Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listSponsorIds } from "../../persistence/people/sponsor-store.ts";
import { insertRunStages } from "../../persistence/approval/run-stage-store.ts";
import { findRun, insertRun, type NewRunContent } from "../../persistence/run/run-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { CreationPolicies } from "../creation/creation-policies.ts";
import { readCreationVerdict, storeCreationVerdict } from "../creation/creation-verdict.ts";
import { keepSecrets } from "../variables/workspace-secrets.ts";
import { firstAlarm } from "./alarm.ts";
import { enqueueRunWebhooks } from "./enqueue-webhooks.ts";
import { readWorkspaceContext } from "./locked-run.ts";
import { requestersOf } from "../../model/run/run.ts";
import { stagesOfOrder } from "./conditional-stages.ts";
import { settleWorkspace } from "./settle-workspace.ts";
import { sealRunVariables } from "../variables/run-variables.ts";

/** A new run, with its variables and hooks. */
export interface RunOrder extends NewRunContent {
  /** `null`: those of the workspace, as they are now. */
  variables: readonly Variable[] | null;
  /** `null`: those of the workspace, as they are now. */
  hooks: readonly Hook[] | null;
  /** By which policies judge it before it is created. */
  policies: CreationPolicies;
}

/** Creates a run: an actor, and the run by whose token it acts, if any. */
export type Requester = Pick<ActorCaller, "run" | "sponsor"> & {
  actor: Pick<ActorCaller["actor"], "id">;
  /** Actors that cannot approve the run as others, although they did not create it. */
  requestedByIds?: readonly string[];
};

/**
 * Queues a new run in its workspace and admits it if nothing blocks it; with a `skipReason` the run ends SKIPPED at once. The
 * workspace's row must be locked. Throws UnjudgedCreation and POLICY_DENIED before it writes anything.
 */
export async function queueRun(
  tx: Transaction,
  deps: Deps,
  requester: Requester,
  workspace: Workspace,
  { variables, hooks, policies, ...order }: RunOrder,
): Promise<Run> {
  const id = deps.newId("run");
  const context = await readWorkspaceContext(tx, deps, workspace);
  const own = variables ?? (await listVariables(tx, deps.cipher, [workspace.id]))[0] ?? [];
  const { judges } = context;
  const judged = { run: { ...order, cause: order.cause ?? null, createdById: requester.actor.id }, workspace, judges };
  const skips = typeof order.skipReason === "string";
  const verdict = skips ? null : await readCreationVerdict(tx, deps, { ...judged, variables: own }, policies);
  if (variables !== null) await keepSecrets(tx, deps, workspace.id, variables);
  const skipReason = order.skipReason ?? verdict?.skipReason ?? null;
  const stages = skipReason === null ? await stagesOfOrder(tx, context, order) : [];
  const status = skipReason === null ? STATUS_OF.creation : STATUS_OF.skippedCreation;
  const first = { kind: order.kind, status, holdsWorkspace: false };
  // A failure of its workspace is no longer the newest run.
  tx.announce("inbox");
  const queued = await insertRun(
    tx,
    {
      ...order,
      skipReason,
      awaitsUpstream: order.awaitsUpstream === true && skipReason === null,
      stageCount: stages.length,
      policyWarnings: verdict?.warnings ?? 0,
      evaluationIds: verdict?.versions.filter(({ isShadow }) => !isShadow).map((one) => one.id) ?? [],
      alarmAt: skipReason === null ? firstAlarm(order, context) : null,
      id,
      organizationId: workspace.organizationId,
      projectId: workspace.projectId,
      workspaceId: workspace.id,
      leg: FIRST_LEG[order.kind],
      createdById: requester.actor.id,
      ...(await readActingRun(tx, requester, deps.clock().toISOString())),
      variablesSealed: sealRunVariables(deps, id, own),
      hooks: hooks ?? workspace.hooks,
    },
    { workspaceFields: changedWorkspaceFields(null, first) },
  );
  await insertRunStages(tx, { runId: id, planVersion: queued.planVersion, after: 0 }, stages);
  if (verdict !== null) await storeCreationVerdict(tx, id, verdict, order.createdAt);
  tx.announce(`run:${id}`);
  if (skipReason !== null) {
    await enqueueRunWebhooks(tx, deps, { ...queued, status: STATUS_OF.creation }, queued);
    return queued;
  }
  const admitted = await settleWorkspace(tx, deps, workspace.id, { fresh: [id], known: context });
  return admitted.get(id) ?? queued;
}

/**
 * The run that creates another one by its token, and who requested the new one beside its creator: the requesters of the
 * acting one, and sponsors. They cannot approve as others what they started.
 */
async function readActingRun(
  tx: Transaction,
  { actor, run, sponsor, requestedByIds = [] }: Requester,
  at: string,
): Promise<Pick<Run, "actingRunId" | "requestedByIds">> {
  const acting = run === undefined ? null : await findRun(tx, run.id);
  if (acting !== null) return { actingRunId: acting.id, requestedByIds: requestersOf(acting) };
  const person = personOf(actor.id, sponsor, at);
  const sponsors = requestedByIds.length === 0 ? [] : await listSponsorIds(tx, requestedByIds, at);
  const others = [...requestedByIds, ...sponsors, person].filter((id) => id !== actor.id);
  return { actingRunId: null, requestedByIds: [...new Set(others)] };
}
