/** Promotion where a workspace, or the changeset that is promoted, lies in an isolated project that the caller does not see. */
import { randomUUID } from "node:crypto";
import { promotionRound } from "../../src/domain/promotion/promotion-round.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Data } from "../support/api.ts";
import { deploy, finish, push, type Staged, type StageSettings, staged } from "../support/promotion-steps.ts";
import { allBut, callerWith } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

const never = new AbortController().signal;
const wrong = (answer: unknown): string => JSON.stringify(answer);
const callerOf = (walk: WalkScene) => callerWith(walk, { [walk.organizationId]: allBut() });

async function createIsolated(walk: WalkScene): Promise<string> {
  const input = { organizationId: walk.organizationId, name: `isolated-${randomUUID()}`, isolated: true };
  const { id } = (await walk.make("createProject", input, "project { id }")).project;
  await walk.grant(ADMIN_ACTOR_ID, "ADMIN", id);
  return id;
}

/** A changeset of a push that was applied, and a stage behind it with a workspace of an isolated project. */
async function createHalfHidden(walk: WalkScene, prod: StageSettings = {}): Promise<Staged & { changesetId: string }> {
  const { scene } = walk;
  const made = await staged(scene, { dev: {}, prod }, walk.organizationId);
  const source = { git: { url: made.url, branch: "main" } };
  await scene.createWorkspace({ labels: [made.labels["prod"]], source, projectId: await createIsolated(walk) });
  const changesetId = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
  await finish(scene, changesetId);
  return { ...made, changesetId };
}

export function promotionProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  return [
    {
      name: "promoteChangeset to a stage of which one workspace is hidden",
      async run() {
        const { changesetId, pipelineId } = await createHalfHidden(walk);
        const input = { changesetId, pipelineId, stage: "prod" };
        const answer = await walk.send(await callerOf(walk), "promoteChangeset", input);
        return answer.code === "FORBIDDEN" && answer.permission === "RUN_READ" ? null : wrong(answer);
      },
    },
    {
      name: "promoteChangeset of a hidden changeset",
      async run() {
        const { pipelineId } = await staged(scene, { dev: {}, prod: {} }, organizationId);
        const hidden = await scene.createWorkspace({ projectId: await createIsolated(walk) });
        const changesetId = await deploy(scene, { organizationId, workspaceIds: [hidden] });
        const input = { changesetId, pipelineId, stage: "prod" };
        const answer = await walk.send(await callerOf(walk), "promoteChangeset", input);
        return answer.code === "NOT_FOUND" ? null : wrong(answer);
      },
    },
    {
      name: "promoteChangeset again after the workspace of the stage was moved away",
      async run() {
        const made = await staged(scene, { dev: {}, prod: {} }, organizationId);
        const changesetId = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
        await finish(scene, changesetId);
        const api = await callerOf(walk);
        const input = { changesetId, pipelineId: made.pipelineId, stage: "prod", idempotencyKey: randomUUID() };
        await walk.send(api, "promoteChangeset", input);
        const toProjectId = await createIsolated(walk);
        await walk.make("moveWorkspace", { workspaceId: made.workspaces["prod"], toProjectId }, "workspace { id }");
        const answer = await walk.send(api, "promoteChangeset", input);
        return answer.code === "NOT_FOUND" ? null : wrong(answer);
      },
    },
    {
      name: "an automatic stage of which the owner of the pipeline does not see one workspace",
      async run() {
        const { changesetId, pipelineId } = await createHalfHidden(walk, { automatic: true });
        const change = { pipelineId, name: `p-${randomUUID()}` };
        await walk.send(await callerOf(walk), "updatePromotionPipeline", change);
        await promotionRound(scene.server.deps, never);
        const text = "select problem from promotion where origin_id = $1";
        const [row] = await scene.rows(text, changesetId);
        return typeof row?.["problem"] === "string" ? null : wrong(row);
      },
    },
    {
      name: "a schedule that promotes to a stage of which one workspace is hidden",
      async run() {
        const { pipelineId } = await createHalfHidden(walk);
        const times = { name: "weekly", cron: "0 9 * * 1", action: "PROMOTE" };
        const api = await callerOf(walk);
        const input = { organizationId, pipelineId, stage: "prod", ...times };
        const { schedule }: Data = await walk.send(api, "createSchedule", input, "schedule { id }");
        const answer = await walk.send(api, "runScheduleNow", { scheduleId: schedule.id });
        return answer.code === "INVALID_INPUT" ? null : wrong(answer);
      },
    },
  ];
}
