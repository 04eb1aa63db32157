/** An apply that was interrupted: the page leads out of it step by step. Its runner is a fake one, which the test revokes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FakeJob } from "../../support/fake-runner.ts";
import { approve, createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { openFakeJobs } from "./fake-jobs.ts";

let scene: ConsoleScene;
let claimNext: () => Promise<FakeJob>;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  claimNext = await openFakeJobs(scene.server.url, scene.server.api);
});
afterAll(() => scene[Symbol.asyncDispose]());

it("shows the state that came late, adopts it, and unlocks the workspace by force", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("lost", { "main.tf": "" });
  const runId = await createRun(api, workspaceId);
  await (await claimNext()).plan();
  await approve(api, runId, "PLAN");
  await approve(api, runId, "APPLY");
  const job = await claimNext();
  await job.message({ type: "prepared" });
  await job.lockState("lock");
  const { organizations } = await api.ask(
    `{ organizations(first: 1) { edges { node { runners(first: 5) { edges { node { id name } } } } } } }`,
  );
  const runners: { node: { id: string; name: string } }[] = organizations.edges[0].node.runners.edges;
  const runnerId = runners.find(({ node }) => node.name === "fake")?.node.id;
  const revoked = await api.ask(
    `mutation { revokeRunner(input: { runnerId: "${runnerId}", force: true }) { __typename } }`,
  );
  expect(revoked.revokeRunner.__typename).toBe("RevokeRunnerSuccess");
  const late = await job.writeState("lock", { version: 4, serial: 7, lineage: "lineage", outputs: {}, resources: [] });
  expect(late).toMatchObject({ status: 202, body: { recovered: true } });

  await using opened = await scene.open(`/r/${runId}`);
  const { page, reports } = opened;
  await signIn(page, api.token);
  const holds = page.getByRole("region", { name: "Holds" });
  await holds.getByRole("heading", { name: "State unknown" }).waitFor();
  await holds.getByText("serial 7, 0 resources").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "lost-apply");
  const file = page.waitForEvent("download");
  await holds.getByRole("link", { name: "As a file" }).click();
  expect(await (await file).failure()).toBeNull();

  await holds.getByRole("button", { name: "Adopt this state…" }).click();
  const adopt = page.getByRole("dialog", { name: "Adopt this state: lost" });
  await adopt.getByLabel(/Note/).fill("looked at it");
  expect(await findBarriers(page)).toEqual([]);
  await adopt.getByRole("button", { name: "Adopt this state" }).click();
  await holds.getByText("The current one is serial 7, 0 resources.").waitFor();
  await holds.getByRole("button", { name: "Unlock by force…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlock by force" }).click();
  await holds.waitFor({ state: "detached" });
  const { workspace } = await api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { lock { reason } currentStateVersion { serial } } }`,
  );
  expect(workspace).toEqual({ lock: null, currentStateVersion: { serial: 7 } });
  expect(reports).toEqual([]);
});

it("locks a workspace with a note, for which others see why they wait, and unlocks it", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("held", { "main.tf": "" });
  await using opened = await scene.open("/o/default/w/held");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const holds = page.getByRole("region", { name: "Holds" });
  await holds.getByRole("button", { name: "Lock…" }).click();
  await page.getByRole("dialog").getByLabel(/Note/).fill("moving the network <b>");
  await page.keyboard.press("Enter");
  await holds.getByText(/Locked by .*moving the network <b>/).waitFor();
  await holds.getByRole("button", { name: "Pause" }).click();
  await holds.getByText("Paused: new runs wait.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await holds.getByRole("button", { name: "Unlock…", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
  await holds.getByText(/Locked by/).waitFor({ state: "detached" });
  const { workspace } = await api.ask(`{ workspace(by: { id: "${workspaceId}" }) { paused lock { reason } } }`);
  expect(workspace).toEqual({ paused: true, lock: null });
  expect(reports).toEqual([]);
});
