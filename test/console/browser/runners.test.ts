/** Runners in a browser: a pool, a runner that joins by the command of the page, and its end. */
import { tmpdir } from "node:os";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { startRunnerProcess } from "../../support/runner-process.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

let scene: ConsoleScene;
let workDir: string;
beforeAll(async () => {
  scene = await openConsoleScene();
  workDir = await mkdtemp(join(tmpdir(), "holdpoint-runner-"));
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await rm(workDir, { recursive: true, force: true });
});

it("makes a pool, shows the command for a runner once, drains and revokes the runner", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/runners");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("region", { name: "Shared runners" }).getByText("idle").waitFor();

  // A name that the API does not accept is refused at its field; the form stays as it was.
  await page.getByRole("button", { name: "New pool" }).press("Enter");
  const newPool = page.getByRole("dialog", { name: "New pool of runners" });
  await newPool.getByRole("textbox", { name: "Name" }).fill("No Spaces");
  await newPool.getByLabel("Purpose").fill("big \u202eones");
  await page.keyboard.press("Enter");
  await newPool.locator("input[aria-invalid=true]").waitFor();
  await checkViews(page, "pool-refused");
  await newPool.getByRole("textbox", { name: "Name" }).fill("builders");
  await page.keyboard.press("Enter");
  const pool = page.getByRole("region", { name: "Pool builders" });
  await pool.getByText("big \\u202eones").waitFor();
  await pool.getByText("No runner has joined yet.").waitFor();

  // Another person gives it a purpose meanwhile; the form sends what was changed in it alone.
  const { organization } = await api.ask(`{ organization(slug: "default") { runnerPools { id name } } }`);
  const { id: poolId } = organization.runnerPools.find(({ name }: { name: string }) => name === "builders");
  await pool.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the pool builders" });
  await changing.getByLabel("Checks for drift at once").fill("2");
  await checkViews(page, "pool-change");
  await must(api, "updateRunnerPool", { poolId, description: "of the other" }, "runnerPool { id }");
  await page.keyboard.press("Enter");
  await pool.getByText("Checks for drift at once: 2").waitFor();
  await pool.getByText("of the other").waitFor();

  await pool.getByRole("button", { name: "Add a runner" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "Add a runner to builders" });
  await adding.getByLabel("Name of the token").fill("rack 7");
  await page.keyboard.press("Enter");
  const token = (await adding.getByLabel("The token", { exact: true }).textContent()) ?? "";
  expect(await adding.textContent()).toContain("--pool builders");
  await checkViews(page, "runner-token");
  await closeDialog(page);
  expect(await page.content()).not.toContain(token);

  await using runner = startRunnerProcess(
    [
      "--server",
      scene.server.url,
      "--pool",
      "builders",
      "--name",
      "eu-1",
      "--labels",
      "linux,eu",
      "--work-dir",
      workDir,
    ],
    { HOLDPOINT_RUNNER_TOKEN: token },
  );
  const row = pool.getByRole("row", { name: /eu-1/ });
  await row.getByText("idle").waitFor();
  await row.getByText("eu, linux").waitFor();
  await row.getByText("0 of 1 slot").waitFor();

  // A run that asks for labels that no runner has is listed with the reason.
  const workspaceId = await scene.createWorkspace("gpu", { "main.tf": "" });
  const { updateWorkspace } = await api.ask(
    `mutation { updateWorkspace(input: { workspaceId: "${workspaceId}", runnerLabels: ["gpu"] }) { ... on UserError { message } } }`,
  );
  expect(updateWorkspace.message).toBeUndefined();
  await createRun(api, workspaceId);
  const waiting = page.getByRole("region", { name: "Runs without a runner" });
  await waiting.getByText("gpu #1").waitFor();
  await waiting.getByText(/labels? .*gpu/).waitFor();
  await checkViews(page, "runners");

  await row.getByRole("button", { name: "Drain" }).press("Enter");
  await row.getByText("draining").waitFor();
  await row.getByRole("button", { name: "Resume" }).press("Enter");
  await row.getByText("idle").waitFor();
  await row.getByRole("button", { name: "Revoke" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Revoke the runner eu-1" });
  await checkViews(page, "runner-revoke");
  await asking.getByRole("button", { name: "Revoke" }).press("Enter");
  await row.getByText("revoked").waitFor();
  await row.getByText("idle").waitFor({ state: "detached" });
  // A runner that was revoked ends with a code of its own.
  expect(await runner.exited).toBe(3);
  await pool.getByRole("button", { name: "Delete" }).press("Enter");
  const deleting = page.getByRole("dialog", { name: "Delete the pool builders" });
  await deleting.getByRole("button", { name: "Delete" }).press("Enter");
  await pool.waitFor({ state: "detached" });
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href);
  expect(kept).not.toContain(token);
  expect(reports).toEqual([]);
});
