/** The overview, policy sets and changesets of an organization, with plans of a real engine. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { createPolicySet, pushVersion } from "../../support/policy-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

const MAIN = `resource "terraform_data" "bucket" { input = "public-read" }`;
const BROKEN = `resource "terraform_data" "bucket" { input = nothing.here }`;

let scene: ConsoleScene;
let workspaceId: string;
beforeAll(async () => {
  scene = await openConsoleScene();
  workspaceId = await scene.createWorkspace("buckets", { "main.tf": MAIN });
});
afterAll(() => scene[Symbol.asyncDispose]());

it("shows what waits, and what needs a hand, while it happens", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const waiting = page.getByRole("region", { name: "Waits for people" });
  await waiting.getByText("Nothing waits for a decision.").waitFor();
  const runId = await createRun(api, workspaceId);
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await waiting.getByRole("listitem").filter({ hasText: "buckets #1" }).getByText("for you").waitFor();
  await createRun(api, await scene.createWorkspace("broken", { "main.tf": BROKEN }));
  const hands = page.getByRole("region", { name: "Needs a hand" });
  await hands.getByRole("link", { name: "broken #1" }).waitFor();
  const activity = page.getByRole("region", { name: "Activity" });
  await activity.getByText("1 awaiting plan approval", { exact: true }).waitFor();
  await activity.getByRole("link", { name: "buckets #1" }).waitFor();
  const { organization } = await api.ask(`{ organization(slug: "default") { concurrencyLimit } }`);
  await activity.getByText(`0 of ${organization.concurrencyLimit} busy`).waitFor();
  await activity.getByText("0 applied of 1 run, 100 % failed").waitFor();
  await checkViews(page, "overview");

  // A decision takes the run away from those that wait.
  await must(api, "discardRun", { runId }, "run { id }");
  await waiting.getByText("Nothing waits for a decision.").waitFor();
  await activity.getByText("none", { exact: true }).waitFor();
  await activity.getByText("0 applied of 2 runs, 50 % failed").waitFor();
  await page.getByRole("link", { name: "Runs", exact: true }).press("Enter");
  await page.waitForURL("**/o/default/runs?show=all");
  await page.getByRole("row", { name: /buckets #1/ }).waitFor();
  expect(reports).toEqual([]);
});

it("shows a policy set with its source and results, simulates a version, and activates it", async () => {
  const { api } = scene.server;
  const { policySet } = await createPolicySet(api, { name: "storage", description: "buckets \u202eof all" });
  const rule = {
    name: "no-public-bucket",
    level: "ADVISORY",
    types: ["terraform_data"],
    message: "It would be public.",
  };
  const when = 'resource.after.input == "public-read"';
  await pushVersion(api, { policySetId: policySet.id, rules: [{ ...rule, when }], state: "ACTIVE" });
  await pushVersion(api, {
    policySetId: policySet.id,
    rules: [{ ...rule, level: "MANDATORY", when }],
    message: "deny it",
  });
  const runId = await createRun(api, workspaceId);
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");

  await using opened = await scene.open("/o/default/policies");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const row = page.getByRole("row", { name: /storage/ });
  await row.getByText("buckets \\u202eof all").waitFor();
  await row.getByText("1 warned").waitFor();
  await checkViews(page, "policies");
  await row.getByRole("link").press("Enter");
  await page.getByRole("region", { name: "Source" }).getByText(when).waitFor();
  await page
    .getByRole("table", { name: "Results" })
    .getByRole("row", { name: /buckets #2/ })
    .getByText("warned")
    .waitFor();
  await checkViews(page, "policy-set");

  // The newer version is tried first: it would deny the plan that is there, and denies nothing.
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByRole("link", { name: "v2" }).press("Enter");
  await page.getByRole("button", { name: "Try it" }).press("Enter");
  const trying = page.getByRole("dialog", { name: "Try v2 of storage" });
  await trying.getByRole("button", { name: "Try it" }).press("Enter");
  const simulated = page.getByRole("table", { name: "Results of the simulation" });
  await simulated
    .getByRole("row", { name: /buckets #2/ })
    .getByText("newly denied")
    .waitFor();
  await checkViews(page, "simulation");
  await versions.getByRole("row", { name: /v2/ }).getByRole("button", { name: "Activate" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Activate v2 of storage" });
  await asking.getByRole("button", { name: "Activate" }).press("Enter");
  await versions.getByRole("row", { name: /v2/ }).getByText("active", { exact: true }).waitFor();
  await versions.getByRole("row", { name: /v1/ }).getByText("retired").waitFor();
  await page.getByRole("button", { name: "Switch off" }).press("Enter");
  await page
    .getByRole("dialog", { name: "Switch off the policy set storage" })
    .getByRole("button", { name: "Switch off" })
    .press("Enter");
  await page.getByRole("button", { name: "Switch on" }).waitFor();
  expect(reports).toEqual([]);
});

it("shows a changeset with its runs, and approves the plans that were shown", async () => {
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const names = ["edge-a", "edge-b"];
  const workspaceIds = await Promise.all(names.map((name) => scene.createWorkspace(name, { "main.tf": MAIN })));
  const { changeset } = await must(
    api,
    "createChangeset",
    {
      organizationId: organization.id,
      kind: "DEPLOY",
      title: "Raise \u202elimits",
      workspaceIds,
      withDependents: false,
    },
    "changeset { id }",
  );
  await using opened = await scene.open("/o/default/changesets");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const row = page.getByRole("row", { name: /Raise \\u202elimits/ });
  await row.getByText("planned").waitFor();
  await row.getByText("2 workspaces: 2 wait for people").waitFor();
  await checkViews(page, "changesets");
  await row.getByRole("link").press("Enter");
  await page.waitForURL(`**/changesets/${changeset.id}`);
  // It is found by its title, too.
  await page.goBack();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("combobox").fill("limits raise");
  await palette.getByRole("option", { name: /changeset/ }).click();
  await page.waitForURL(`**/changesets/${changeset.id}`);
  const runs = page.getByRole("table", { name: "Runs of the changeset" });
  for (const name of names)
    await runs
      .getByRole("row", { name: new RegExp(name) })
      .getByText("awaiting plan approval")
      .waitFor();
  await checkViews(page, "changeset");

  // A plan that is made again while a person reads the dialog is not approved by it.
  await page.getByRole("button", { name: "Approve the plans" }).press("Enter");
  const approving = page.getByRole("dialog", { name: /^Approve the plans of Raise/ });
  await approving.getByText("2 runs wait.").waitFor();
  const again = await api.ask(`{ changeset(id: "${changeset.id}") { runs { edges { node { id } } } } }`);
  const replanned: string = again.changeset.runs.edges[0].node.id;
  await must(api, "replanRun", { runId: replanned, planVersion: 1 }, "run { id }");
  await waitForStatus(api, replanned, "AWAITING_PLAN_APPROVAL", 2);
  await approving.getByText("Other plans took the place of these while you read.").waitFor();
  await approving.getByRole("button", { name: "Approve the plans" }).press("Enter");
  await approving.getByText(/The changeset is at version/).waitFor();
  await checkViews(page, "changeset-stale");
  await closeDialog(page);
  for (const name of names)
    await runs
      .getByRole("row", { name: new RegExp(name) })
      .getByText("awaiting plan approval")
      .waitFor();

  await page.getByRole("button", { name: "Approve the plans" }).press("Enter");
  await approving.getByRole("button", { name: "Approve the plans" }).press("Enter");
  for (const name of names)
    await runs
      .getByRole("row", { name: new RegExp(name) })
      .getByText("awaiting apply approval")
      .waitFor();
  await page.getByRole("button", { name: "Discard" }).press("Enter");
  await page
    .getByRole("dialog", { name: /^Discard the changeset Raise/ })
    .getByRole("button", { name: "Discard" })
    .press("Enter");
  for (const name of names)
    await runs
      .getByRole("row", { name: new RegExp(name) })
      .getByText("discarded")
      .waitFor();
  expect(reports).toEqual([]);
});
