import { createHash } from "node:crypto";
import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type ActorCaller, can, scopeOf } from "../../model/people/permission.ts";
import { type PromotionPipeline, soakedAt, stepsOf, type StageStep } from "../../model/promotion/promotion.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { listMemberWorkspaces } from "../../persistence/changeset/changeset-member-store.ts";
import {
  type ChangesetRequest,
  findChangesetByKey,
  lockChangeset,
} from "../../persistence/changeset/changeset-store.ts";
import { findChangesets } from "../../persistence/changeset/seen-changeset-store.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findNewerPromotion, findPromotion } from "../../persistence/promotion/promotion-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorizeUnseen, type Demand, recorded, requireSomewhere } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { checkIdempotencyKey } from "../run/run-input.ts";
import { openPromotion, promotionOf } from "./open-promotion.ts";
import { findLocked, placeOfPipeline } from "./pipeline-command.ts";
import { planPromotion } from "./plan-promotion.ts";

export interface PromoteChangesetInput {
  changesetId: string;
  pipelineId: string;
  /** The name of the stage that gets the commits. */
  stage: string;
  idempotencyKey: string | null;
}

export interface PromotedChangeset {
  changeset: SeenChangeset;
  created: boolean;
}

/** The permissions that a promotion takes in each workspace of the stage. */
export const PROMOTION_DEMANDS: readonly Demand[] = [
  { permission: "RUN_READ", words: "reading the runs of the stage" },
  { permission: "RUN_DEPLOY", words: "creating runs in every workspace of the stage" },
];

/**
 * Opens a changeset in the next stage with the commits that a changeset has applied. A changeset is promoted to a stage once:
 * the second of two requests returns the changeset of the first. Runs wait until the stage before has soaked.
 */
export function promoteChangeset(
  deps: Deps,
  caller: ActorCaller,
  input: PromoteChangesetInput,
): Promise<PromotedChangeset> {
  const { changesetId, pipelineId, stage, idempotencyKey } = input;
  return recorded(deps, caller, { name: "promoteChangeset", subjectId: changesetId }, async () => {
    for (const demand of PROMOTION_DEMANDS) requireSomewhere(caller, demand);
    const check = new InputCheck();
    check.label("stage", stage);
    checkIdempotencyKey(check, idempotencyKey);
    check.done();
    const digest = createHash("sha256")
      .update(JSON.stringify([changesetId, pipelineId, stage]))
      .digest("hex");
    const request = { key: idempotencyKey, digest };
    const promote = () => deps.database.transaction((tx) => promoteOnce(tx, deps, caller, input, request));
    // The second of two concurrent requests with one key finds the changeset of the first.
    const { id, created } = await promote().catch((error: unknown) => {
      if (violates(error, "changeset_key")) return promote();
      throw error;
    });
    const [changeset = null] = await findChangesets(deps.database, scopeOf(caller, "RUN_READ"), [id]);
    if (changeset === null) throw notFound("changeset");
    return { changeset, created };
  });
}

async function promoteOnce(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { changesetId, pipelineId, stage: name }: PromoteChangesetInput,
  request: ChangesetRequest,
): Promise<{ id: string; created: boolean }> {
  const pipeline = await getPipeline(tx, caller, pipelineId);
  await requireVisible(tx, caller, pipeline, changesetId);
  const earlier = await findByKey(tx, deps, caller, request);
  if (earlier !== null) return { id: earlier, created: false };
  const step = getStep(pipeline, name);
  const done = await findPromotion(tx, { originId: changesetId, pipelineId, stage: name });
  if (done !== null && done.changesetId !== null) {
    const members = await findWorkspaces(tx, await listMemberWorkspaces(tx, done.changesetId));
    authorizeAll(
      caller,
      members.filter((workspace) => workspace !== null),
    );
    return { id: done.changesetId, created: false };
  }
  const promoted = { pipeline, step, origin: await lockChangeset(tx, changesetId) };
  const plan = await planPromotion(tx, promoted);
  if ("field" in plan) throw invalidField(plan.field, plan.message);
  authorizeAll(
    caller,
    plan.targets.map(({ workspace }) => workspace),
  );
  if ((await findNewerPromotion(tx, promotionOf(promoted, plan), { isPromoted: true })) !== null) {
    const message = `The stage "${name}" has got the commits of a newer changeset. Promote the newest one.`;
    throw new UserError("STALE_CHANGESET", message, { changesetId });
  }
  const soaked = soakedAt(plan.passedAt, step.stage);
  const { id } = await openPromotion(tx, deps, promoted, plan, {
    startsAt: soaked > deps.clock().toISOString() ? soaked : null,
    createdBy: { actorId: caller.actor.id, credentialId: caller.credentialId },
    request,
  });
  return { id, created: true };
}

/** Locks a pipeline. Throws NOT_FOUND unless the caller may read the runs of its organization. */
async function getPipeline(tx: Transaction, caller: ActorCaller, pipelineId: string): Promise<PromotionPipeline> {
  const pipeline = await findLocked(tx, pipelineId);
  if (pipeline === null || !can(caller, "RUN_READ", placeOfPipeline(pipeline))) throw notFound("pipeline");
  return pipeline;
}

/** Throws NOT_FOUND unless the caller sees the changeset, and it is of the organization of the pipeline. */
async function requireVisible(
  tx: Transaction,
  caller: ActorCaller,
  { organizationId }: PromotionPipeline,
  changesetId: string,
): Promise<void> {
  const isOne = idKind(changesetId) === "changeset";
  const [changeset = null] = isOne ? await findChangesets(tx, scopeOf(caller, "RUN_READ"), [changesetId]) : [];
  if (changeset?.organizationId !== organizationId) throw notFound("changeset");
}

/** Returns the changeset that the caller created by the same key. Throws INVALID_INPUT if that was another request. */
async function findByKey(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { key, digest }: ChangesetRequest,
): Promise<string | null> {
  if (key === null) return null;
  const since = new Date(deps.clock().getTime() - LIMITS.idempotencyKeyMs).toISOString();
  const earlier = await findChangesetByKey(tx, { actorId: caller.actor.id, key }, since);
  if (earlier !== null && earlier.digest !== digest) {
    throw invalidField("idempotencyKey", "was used for another request: choose another one.");
  }
  return earlier?.id ?? null;
}

function getStep(pipeline: PromotionPipeline, name: string): StageStep {
  const steps = stepsOf(pipeline);
  const step = steps.find(({ stage }) => stage.name === name);
  if (step !== undefined) return step;
  const names = steps.map(({ stage }) => `"${stage.name}"`).join(", ");
  throw invalidField("stage", `must be a stage of the pipeline with one before it: ${names}.`);
}

function authorizeAll(caller: ActorCaller, workspaces: readonly Workspace[]): void {
  for (const demand of PROMOTION_DEMANDS) {
    for (const workspace of workspaces) authorizeUnseen(caller, demand, workspacePlace(workspace), "RUN_READ");
  }
}
