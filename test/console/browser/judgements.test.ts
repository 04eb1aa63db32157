/** A plan that policies deny, and a way for people to let it pass, in a browser. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { createPolicySet, pushVersion } from "../../support/policy-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { waitForStatus } from "./wait-for-status.ts";

const MAIN = `
resource "terraform_data" "bucket" { input = "public-read" }
check "acl" {
  assert {
    condition     = terraform_data.bucket.input != "public-read"
    error_message = "The bucket is public."
  }
}
`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("shows what was found, and lets a person override it with a reason", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("buckets", { "main.tf": MAIN });
  const viewer = (await api.ask("{ viewer { actor { id } } }")).viewer.actor.id;
  const { policySet } = await createPolicySet(api, {
    name: "storage",
    selector: { workspaceIds: [workspaceId] },
    overriders: { approverIds: [viewer], excludeRequester: false },
  });
  const rules = [
    {
      name: "no-public-bucket",
      level: "SOFT_MANDATORY",
      types: ["terraform_data"],
      when: 'resource.after.input == "public-read"',
      message: "The bucket would be public.",
    },
  ];
  expect(await pushVersion(api, { policySetId: policySet.id, rules, state: "ACTIVE" })).toMatchObject({
    version: { state: "ACTIVE" },
  });
  const runId = await createRun(api, workspaceId);
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");

  await using opened = await scene.open(`/r/${runId}`);
  const { page, reports } = opened;
  await signIn(page, api.token);
  const asked = page.getByRole("region", { name: "What is asked" });
  await asked.getByText("Override policy").waitFor();
  const warnings = page.getByRole("region", { name: "Warnings" });
  await warnings.getByText(/^Check block assertion failed: The bucket is public\./).waitFor();
  await warnings.getByText("main.tf line 5").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await warnings.getByRole("link", { name: "In the log" }).click();
  await page.getByText("Warning: Check block assertion failed").waitFor();
  await page.getByRole("tab", { name: "checks" }).click();
  const policies = page.getByRole("region", { name: "Policies of storage" });
  await policies.getByText("The bucket would be public.").waitFor();
  await policies.getByText("terraform_data.bucket").waitFor();
  await page.getByRole("region", { name: "Check blocks" }).getByText("check.acl").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "checks");

  // A person who may not override reads why.
  const { secret } = await must(api, "createToken", { name: "reader", role: "READER" }, "secret");
  await using reader = await scene.open(`/r/${runId}`);
  await signIn(reader.page, secret);
  await reader.page.getByRole("tab", { name: "checks" }).click();
  await reader.page.getByText(/You cannot override the failures\. ./).waitFor();
  expect(reader.reports).toEqual([]);

  // An override needs a reason, and is about the failures that are shown.
  await page.keyboard.press("o");
  const dialog = page.getByRole("dialog", { name: "Override the policies" });
  await dialog.getByText("The bucket would be public.").waitFor();
  const send = dialog.getByRole("button", { name: "Override the policies" });
  await send.click();
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByLabel("Comment").fill("A page of the press, for a day.");
  expect(await findBarriers(page)).toEqual([]);
  await send.click();
  await dialog.waitFor({ state: "detached" });
  await policies.getByText("overridden by admin").waitFor();
  await asked.getByRole("button", { name: "Approve plan v1" }).waitFor();
  expect(reports).toEqual([]);
});
