/** Who counts as the one that requested a run which the system creates: those that requested what caused it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { RunCause } from "../../../src/model/run/run-cause.ts";
import type { Api } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";

type Person = Awaited<ReturnType<Scene["person"]>>;

const FOUR_EYES = { name: "four eyes", gate: "PLAN", excludeRequester: true };

let scene: Scene;
let author: Person;
let colleague: Person;
beforeAll(async () => {
  scene = await openScene();
  author = await scene.person("APPROVER");
  colleague = await scene.person("APPROVER");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

async function createChangeset(by: Api, workspaceId: string): Promise<string> {
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, title: "one", workspaceIds: [workspaceId] };
  const query = `mutation ($input: CreateChangesetInput!) {
    made: createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } ... on UserError { message } } }`;
  return (await by.ask(query, { input })).made.changeset.id;
}

const createRuns = () => changesetRound(scene.server.deps, new AbortController().signal);
const runOf = async (changesetId: string): Promise<string> =>
  (await scene.rows("select id from run where changeset_id = $1", changesetId))[0]?.["id"];

/** A run of the system with a cause, at a gate that excludes its requesters. */
async function causedRun(cause: RunCause): Promise<string> {
  const id = await createChangeset(scene.api, await scene.createWorkspace({ approvalRules: [FOUR_EYES] }));
  await scene.rows("update changeset set created_by = $2, credential_id = null where id = $1", id, SYSTEM_ACTOR_ID);
  await scene.rows("update changeset_member set cause = $2 where changeset_id = $1", id, JSON.stringify(cause));
  await createRuns();
  const runId = await runOf(id);
  await (await scene.claim(runId)).plan();
  return runId;
}

const approve = (runId: string, by: Api) => scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, by);

describe("a run that the system creates", () => {
  it("because another one was applied is requested by those of that one", async () => {
    const { run } = await scene.send("createRun", { workspaceId: await scene.createWorkspace() }, author);
    const runId = await causedRun({ type: "DEPENDENCY", upstreamRunId: run.id, changedOutputs: [] });
    expect(await approve(runId, author)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(runId, colleague)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("because a commit goes to the next stage is requested by those of the stage before", async () => {
    const changesetId = await createChangeset(author, await scene.createWorkspace());
    await createRuns();
    const before = await runOf(changesetId);
    await (await scene.claim(before)).plan();
    // Another person asks for the plan again.
    await scene.send("replanRun", { runId: before, planVersion: 1 }, colleague);
    const at = { pipelineId: "pipe_a", stage: "production", commit: "a".repeat(40) };
    const cause: RunCause = { type: "PROMOTION", changesetId, ...at };
    const runId = await causedRun(cause);
    for (const by of [author, colleague]) expect(await approve(runId, by)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(runId, await scene.person("APPROVER"))).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });
});
