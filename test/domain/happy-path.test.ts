import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { claim } from "../support/fake-runner.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

it("takes a change through both gates", async () => {
  const { api, url, runnerToken } = server;
  const path = await server.makeSource("one", { "main.tf": 'resource "terraform_data" "a" {}' });
  const { createWorkspace } = await api.ask(
    `mutation ($path: String!) { createWorkspace(input: { name: "one", source: { directory: { path: $path } } }) {
      ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { code message } } }`,
    { path },
  );
  const { createRun } = await api.ask(
    `mutation ($id: ID!) { createRun(input: { workspaceId: $id }) {
      ... on CreateRunSuccess { run { id status } } ... on UserError { code message } } }`,
    { id: createWorkspace.workspace.id },
  );
  expect(createRun.run.status).toBe("READY");
  const plan = await claim(url, runnerToken);
  expect(plan?.job.leg).toBe("PLAN");
  expect((await plan?.plan())?.body).toEqual({ goOn: false });
  const run = await waitForStatus(api, createRun.run.id, "AWAITING_PLAN_APPROVAL");
  const approve = `mutation ($id: ID!, $gate: Gate!) { approveRun(input: { runId: $id, gate: $gate, planVersion: 1 }) {
    ... on ApproveRunSuccess { run { status } } ... on UserError { code message } } }`;
  expect((await api.ask(approve, { id: run.id, gate: "PLAN" })).approveRun.run.status).toBe("AWAITING_APPLY_APPROVAL");
  expect((await api.ask(approve, { id: run.id, gate: "APPLY" })).approveRun.run.status).toBe("CONFIRMED");
  const apply = await claim(url, runnerToken);
  expect(apply?.job.plan?.version).toBe(1);
  expect((await apply?.apply(1))?.body).toEqual({ goOn: false });
  const done = await waitForStatus(api, run.id, "FINISHED");
  expect(done.outcome).toBe("APPLIED");
  expect(server.reported).toEqual([]);
});
