/** A server that is killed while pages wait for its answers: they report it, recover on their own, and do nothing twice. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, type OpenPage, shoot, signIn, untilLive } from "./console-scene.ts";
import { openFakeJobs, sendLines } from "./fake-jobs.ts";
import { waitForStatus } from "./wait-for-status.ts";

let scene: ConsoleScene;
let claimNext: () => Promise<FakeJob>;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0, isFaulty: true });
  claimNext = await openFakeJobs(scene.server.url, scene.server.api);
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Opens a page in the browser of another one, which is signed in. */
async function openBeside({ context }: OpenPage, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(scene.site + path);
  return page;
}

/** Makes a run that waits at its plan gate. */
async function planRun(name: string): Promise<string> {
  const runId = await createRun(scene.server.api, await scene.createWorkspace(name, { "main.tf": "" }));
  await (await claimNext()).plan();
  await waitForStatus(scene.server.api, runId, "AWAITING_PLAN_APPROVAL");
  return runId;
}

it("recovers every page whose answer was lost, and shows what became of it", async () => {
  const { api } = scene.server;
  const created = await scene.createWorkspace("created", { "main.tf": "" });
  const approved = await planRun("approved");
  const replanned = await planRun("replanned");
  const logged = await createRun(api, await scene.createWorkspace("logged", { "main.tf": "" }), { kind: "PLAN" });
  const job = await claimNext();
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  await sendLines(job, ["line 1", "line 2"]);

  await using login = await scene.open("/login");
  await using opened = await scene.open("/o/default/w/created");
  const { page: creating } = opened;
  await signIn(creating, api.token);
  const [approving, replanning, following] = await Promise.all([
    openBeside(opened, `/r/${approved}`),
    openBeside(opened, `/r/${replanned}`),
    openBeside(opened, `/r/${logged}`),
  ]);
  await creating.getByRole("button", { name: "New run" }).click();
  await approving.getByRole("button", { name: "Approve plan v1" }).click();
  await replanning.getByRole("button", { name: "Plan again" }).click();
  await following.getByText("line 2").waitFor();
  await login.page.getByLabel("Token").fill(api.token);

  // The requests arrive, and are carried out; then the server dies with their answers.
  scene.link.mute();
  // They are pressed together: a page without answers counts as offline after some seconds, and sends nothing then.
  await Promise.all([
    creating.getByRole("button", { name: "Create the run" }).click(),
    approving.getByRole("button", { name: "Approve this plan" }).click(),
    replanning.getByRole("dialog").getByRole("button", { name: "Plan again" }).click(),
    login.page.getByRole("button", { name: "Sign in" }).click(),
  ]);
  const runsOf = async (workspaceId: string): Promise<number> => {
    const { workspace } = await scene.server.api.ask(
      `{ workspace(by: { id: "${workspaceId}" }) { runs(first: 10) { edges { node { id } } } } }`,
    );
    return workspace.runs.edges.length;
  };
  const recordOf = async (runId: string): Promise<{ approvals: number; plans: number; status: string }> => {
    const { run } = await scene.server.api.ask(`{ run(id: "${runId}") { status approvals { id } plans { version } } }`);
    return { approvals: run.approvals.length, plans: run.plans.length, status: run.status };
  };
  await waitUntil(async () => (await runsOf(created)) === 1);
  await waitUntil(async () => (await recordOf(approved)).approvals === 1);
  await waitUntil(async () => (await recordOf(replanned)).status !== "AWAITING_PLAN_APPROVAL");
  await scene.killServer();
  scene.link.cut();

  // Each page reports it, and offers nothing that could be sent.
  for (const page of [creating, approving, replanning]) {
    await page.getByRole("dialog").getByText("The answer was lost").waitFor();
    expect(await page.getByRole("dialog").locator("button[type=submit]").isDisabled()).toBe(true);
  }
  await following.locator('[data-state="STALE"]').getByText("offline").waitFor();
  await login.page.getByText("The server does not answer.").waitFor();
  await shoot(approving, "killed");
  await following.getByRole("button", { name: "Sign out" }).click();
  await following.getByText("you are still signed in").waitFor();
  // A page that was never loaded before, and a plan that was not read yet, wait for the server.
  await following.getByRole("link", { name: "Webhooks" }).click();

  await scene.startServer();
  scene.link.heal();
  for (const page of [creating, approving, replanning, following]) await untilLive(page);
  await following.getByText("There is no webhook yet.").waitFor();
  await following.goBack();
  await sendLines(job, ["line 3"]);
  await following.getByText("line 3").waitFor();
  expect(await following.locator("[aria-label^='Line ']").allInnerTexts()).toEqual(["1", "2", "3"]);

  // What was done is shown; sending it again does nothing twice.
  await creating.getByRole("button", { name: "Create the run" }).click();
  await creating.waitForURL("**/o/default/w/created/runs/1");
  await closeDialog(approving);
  await approving
    .getByRole("heading", { name: "Approve apply" })
    .or(approving.getByText("awaiting apply approval"))
    .first()
    .waitFor();
  await closeDialog(replanning);
  await replanning.getByRole("button", { name: "Plan again" }).waitFor({ state: "detached" });
  await login.page.getByRole("button", { name: "Sign in" }).click();
  await untilLive(login.page);
  expect(await runsOf(created)).toBe(1);
  expect(await recordOf(approved)).toMatchObject({ approvals: 1, plans: 1 });
  expect(await recordOf(replanned)).toMatchObject({ approvals: 0, plans: 1 });
  expect([...opened.reports, ...login.reports]).toEqual([]);
});
