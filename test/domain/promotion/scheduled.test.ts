/** Schedules that promote: the newest of the stage before, at their times, under the rights of their owner. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dueSchedulesRound } from "../../../src/domain/schedule/due-schedules-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { deploy, finish, push, sendPromotion, type Staged, staged, work } from "../../support/promotion-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SCHEDULE = `id action stage nextAt lastProblem pipeline { id } workspace { id } label
  lastChangeset { id source commit createdBy { id } origin { id } }`;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const hourly = (made: Pick<Staged, "pipelineId">) => {
  const times = { name: "train", cron: "0 * * * *", action: "PROMOTE" };
  return { organizationId, ...times, pipelineId: made.pipelineId, stage: "prod" };
};
const send = (name: string, input: object, api: Api = scene.api, fields = `schedule { ${SCHEDULE} }`): Promise<Data> =>
  sendPromotion(api, name, input, fields);

async function fire(id: string): Promise<Data> {
  scene.server.advance(HOUR_MS);
  await dueSchedulesRound(scene.server.deps, new AbortController().signal);
  await work(scene.server);
  return (await scene.api.ask(`query ($id: ID!) { node(id: $id) { ... on Schedule { ${SCHEDULE} } } }`, { id })).node;
}
async function applied(made: Staged, commit = made.commit): Promise<string> {
  const id = await push(scene, [made.workspaces["dev"] ?? ""], commit);
  await finish(scene, id);
  return id;
}
async function stopAll(): Promise<void> {
  await scene.rows("update schedule set next_at = null");
}

it("names a stage of a pipeline, and nothing else; what is wrong is named", async () => {
  const made = await staged(scene, { dev: {}, prod: {} });
  const { schedule } = await send("createSchedule", hourly(made));
  expect(schedule).toMatchObject({ action: "PROMOTE", stage: "prod", workspace: null, label: null });
  expect(schedule.pipeline.id).toBe(made.pipelineId);
  const workspaceId = made.workspaces["dev"];
  const cases: [object, string[]][] = [
    [{ stage: "dev" }, ["stage"]],
    [{ stage: null }, ["stage"]],
    [{ stage: "nowhere" }, ["stage"]],
    [{ label: "env:dev" }, ["label"]],
    [{ workspaceId }, ["workspaceId"]],
    [{ spreadMinutes: 5 }, ["spreadMinutes"]],
    [{ command: "true" }, ["command"]],
    [{ pipelineId: null, label: "env:dev" }, ["pipelineId", "label"]],
    [{ action: "RUN", label: "env:dev" }, ["pipelineId", "stage"]],
    [{ action: "RUN", workspaceId }, ["pipelineId", "stage"]],
  ];
  for (const [change, paths] of cases) {
    const answer = await send("createSchedule", { ...hourly(made), ...change });
    expect(answer, JSON.stringify(change)).toMatchObject({ code: "INVALID_INPUT" });
    expect(answer.issues.map(({ path }: Data) => path.join("."))).toEqual(paths);
  }
  const scheduleId = schedule.id;
  expect(await send("updateSchedule", { scheduleId, action: "RUN" })).toMatchObject({ issues: [{ path: ["action"] }] });
  expect((await send("updateSchedule", { scheduleId, name: "weekly" })).schedule.stage).toBe("prod");
  const absent = made.pipelineId.replace(/.{4}$/, "0000");
  expect(await send("createSchedule", { ...hourly(made), pipelineId: absent })).toMatchObject({ code: "NOT_FOUND" });
  const local = await addMachine(scene.server.url, scene.api, ["ADMIN", workspaceId ?? ""]);
  expect(await send("createSchedule", hourly(made), local)).toMatchObject({ code: "NOT_FOUND" });
  const reader = await addMachine(scene.server.url, scene.api, ["READER", organizationId]);
  expect(await send("createSchedule", hourly(made), reader)).toMatchObject({ code: "FORBIDDEN" });
  await stopAll();
});

it("promotes the newest that has soaked, once", async () => {
  const made = await staged(scene, { dev: {}, prod: { soakMinutes: 90 } });
  const { id } = (await send("createSchedule", hourly(made))).schedule;
  expect((await fire(id)).lastProblem).toBe("There is nothing new to promote.");
  await applied(made);
  const commit = made.repository.commit({ "main.tf": "# two\n" });
  const newest = await applied(made, commit);
  expect((await fire(id)).lastProblem).toMatch(/soaks until/);
  const fired = await fire(id);
  expect(fired).toMatchObject({
    lastProblem: null,
    lastChangeset: { source: "PROMOTION", commit, createdBy: { id: SYSTEM_ACTOR_ID }, origin: { id: newest } },
  });
  const again = await fire(id);
  expect(again.lastProblem).toBe("There is nothing new to promote.");
  expect(again.lastChangeset.id).toBe(fired.lastChangeset.id);
  const [row] = await scene.rows("select count(*)::int as n from promotion where pipeline_id = $1", made.pipelineId);
  expect(row?.["n"]).toBe(1);
  await stopAll();
});

it("leaves to people what comes from no branch, and does not go back to what was there before", async () => {
  const made = await staged(scene, { dev: {}, prod: {} });
  const { id } = (await send("createSchedule", hourly(made))).schedule;
  await applied(made);
  made.repository.commit({ "main.tf": "# two\n" });
  const byPerson = await deploy(scene, { workspaceIds: [made.workspaces["dev"]] });
  await finish(scene, byPerson);
  expect(await fire(id)).toMatchObject({ lastProblem: expect.stringMatching(/from no branch/), lastChangeset: null });
  const input = { changesetId: byPerson, pipelineId: made.pipelineId, stage: "prod" };
  await sendPromotion(scene.api, "promoteChangeset", input, "created");
  expect((await fire(id)).lastProblem).toBe("There is nothing new to promote.");
  await stopAll();
});

it("acts for its owner, or for the person who runs it now", async () => {
  const made = await staged(scene, { dev: {}, prod: {} });
  const owner = await addMachine(scene.server.url, scene.api);
  const grantId = await owner.grant("WRITER", organizationId);
  const { id } = (await send("createSchedule", hourly(made), owner)).schedule;
  await sendPromotion(scene.api, "revokeGrant", { grantId }, "__typename");
  const changesetId = await applied(made);
  expect((await fire(id)).lastProblem).toMatch(/has not the permission RUN_READ in every workspace of the stage/);
  const query = `mutation ($input: RunScheduleNowInput!) { done: runScheduleNow(input: $input) {
    ... on RunScheduleNowSuccess { changeset { origin { id } createdBy { id } } } ... on UserError { message } } }`;
  const { done } = await scene.api.ask(query, { input: { scheduleId: id } });
  expect(done.changeset.origin.id).toBe(changesetId);
  expect((await scene.api.ask(query, { input: { scheduleId: id } })).done.message).toMatch(/nothing new to promote/);
  await sendPromotion(scene.api, "deletePromotionPipeline", { pipelineId: made.pipelineId }, "deletedId");
  expect(await fire(id)).toMatchObject({ pipeline: null, lastProblem: "The pipeline was deleted." });
  await stopAll();
});
