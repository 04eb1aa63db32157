/** An exception from a policy: requested by one person, approved by another, and withdrawn, in browsers with passkeys. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInRoleId, type BuiltInRole } from "../../../src/model/people/role.ts";
import { addAuthenticator } from "../../browser/chromium.ts";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import { createPolicySet, pushVersion } from "../../support/policy-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { type ConsoleScene, type OpenPage, openConsoleScene, signIn, stepsOf } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

const RULE = {
  name: "no-public-bucket",
  level: "MANDATORY",
  types: ["terraform_data"],
  when: 'resource.after.input == "public-read"',
  message: "The bucket would be public.",
};

let scene: ConsoleScene;
let organizationId: string;
let workspaceId: string;
let policySetId: string;
beforeAll(async () => {
  scene = await openConsoleScene();
  const { api } = scene.server;
  organizationId = (await api.ask(`{ organization(slug: "default") { id } }`)).organization.id;
  const main = 'resource "terraform_data" "bucket" { input = "public-read" }';
  workspaceId = await scene.createWorkspace("buckets", { "main.tf": main });
  const { policySet } = await createPolicySet(api, { name: "storage", selector: { workspaceIds: [workspaceId] } });
  policySetId = policySet.id;
  await pushVersion(api, { policySetId, rules: [RULE], state: "ACTIVE" });
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Signs a person in who accepts an invitation with a passkey, and has a role in the organization. */
async function openAs(name: string, role: BuiltInRole): Promise<OpenPage> {
  const { api } = scene.server;
  // A person counts as the one that has invited it for a while: each is invited by an administrator of its own.
  const { secret } = await must(api, "createToken", { name: `inviter of ${name}`, role: "ADMIN" }, "secret");
  const { url, invitation } = await must(
    api.as(secret),
    "inviteMember",
    { organizationId, name },
    "url invitation { actor { id } }",
  );
  const grant = { principalId: invitation.actor.id, roleId: builtInRoleId(role), scopeId: organizationId };
  await must(api, "createGrant", grant, "grant { id }");
  const opened = await scene.open("/login");
  const { context, page } = opened;
  await addAuthenticator(context, page);
  await page.goto(url);
  await page.click("#passkey");
  await page.waitForURL((address) => !address.pathname.startsWith("/auth"));
  return opened;
}

/** Waits until policies have denied a run. */
const waitForEnd = (runId: string): Promise<boolean> =>
  waitUntil(async () => (await scene.server.api.ask(`{ run(id: "${runId}") { status } }`)).run.status === "REJECTED");

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const openChecks = async (page: Page, runId: string) => {
  await page.goto(`${scene.site}/r/${runId}`);
  await page.getByRole("tab", { name: "checks" }).click();
  await page.getByRole("tab", { name: "checks", selected: true }).waitFor();
  return page.getByRole("region", { name: "Policies of storage" });
};

it("is requested at the violation, approved by another person, shown where it counts, and withdrawn", async () => {
  const { api } = scene.server;
  const denied = await createRun(api, workspaceId);
  await waitForEnd(denied);
  await using ann = await openAs("Ann", "WRITER");
  await using ben = await openAs("Ben", "ADMIN");

  const policies = await openChecks(ann.page, denied);
  await policies.getByText("The bucket would be public.").waitFor();
  await policies.getByRole("button", { name: "Request an exception" }).press("Enter");
  const asking = ann.page.getByRole("dialog", { name: "Request an exception from storage" });
  expect(await asking.getByLabel("Resources").inputValue()).toBe("terraform_data.bucket");
  await asking.getByLabel("Reason").fill("A page of the press \u202efor a day.");
  await asking.getByLabel("Last day").fill(dayAfter(200));
  await asking.getByRole("button", { name: "Request the exception" }).press("Enter");
  await asking.locator('input[name="expiresAt"][aria-invalid=true]').waitFor();
  await checkViews(ann.page, "exception-refused");
  await asking.getByLabel("Last day").fill(dayAfter(7));
  await asking.getByRole("button", { name: "Request the exception" }).press("Enter");
  await asking.waitFor({ state: "detached" });
  await ann.page.getByRole("link", { name: "Another person decides" }).press("Enter");
  await ann.page.waitForURL("**/policies/*");
  const own = ann.page.getByRole("table", { name: "Exceptions" }).getByRole("row").filter({ hasText: "Ann" });
  await own.getByText("Another person decides about your request.").waitFor();
  expect(await own.getByRole("button", { name: "Approve" }).count()).toBe(0);

  await ben.page.goto(`${scene.site}/o/default/policies`);
  const row = ben.page.getByRole("table", { name: "Exceptions" }).getByRole("row").filter({ hasText: "Ann" });
  await row.getByText("A page of the press \\u202efor a day.").waitFor();
  await row.getByText("requested", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Approve" }).press("Enter");
  const approving = ben.page.getByRole("dialog", { name: "Approve the exception from no-public-bucket" });
  await approving.getByLabel("Comment").fill("Only for a week.");
  await checkViews(ben.page, "exception-approve");
  await approving.getByRole("button", { name: "Approve the exception" }).press("Enter");
  await row.getByText("in force").waitFor();
  await row.getByText("Only for a week.").waitFor();
  await checkViews(ben.page, "exceptions");

  // The next plan waits for people, and its violation names the exception.
  const waived = await createRun(api, workspaceId);
  await waitForStatus(api, waived, "AWAITING_PLAN_APPROVAL");
  const steps = stepsOf(ann.page);
  const covered = await openChecks(ann.page, waived);
  await covered
    .getByText(/An exception of Ben covers it/)
    .waitFor()
    .catch(async (cause: unknown) => {
      throw new Error(`${steps.join("\n")}\n${await ann.page.locator("main").innerText()}`, { cause });
    });
  expect(await covered.getByRole("button", { name: "Request an exception" }).count()).toBe(0);
  await checkViews(ann.page, "exception-covers");
  await must(api, "discardRun", { runId: waived }, "run { id }");

  await row.getByRole("button", { name: "Withdraw" }).press("Enter");
  const ending = ben.page.getByRole("dialog", { name: "Withdraw the exception from no-public-bucket" });
  await ending.getByLabel("Comment").fill("The page is gone.");
  await ending.getByRole("button", { name: "Withdraw the exception" }).press("Enter");
  await ben.page.getByText("No exception is requested or in force.").waitFor();
  await ben.page.getByRole("link", { name: "storage", exact: true }).press("Enter");
  const ended = ben.page.getByRole("table", { name: "Exceptions" }).getByRole("row").filter({ hasText: "Ann" });
  await ended.getByText("by Ben The page is gone.").waitFor();
  expect(await ended.getByRole("button").count()).toBe(0);
  expect([...ann.reports, ...ben.reports]).toEqual([]);
});

it("is not offered to a person who may not request one, and a token alone is refused with the reason", async () => {
  const { api } = scene.server;
  const denied = await createRun(api, workspaceId);
  await waitForEnd(denied);
  const { secret } = await must(api, "createToken", { name: "reader", role: "READER" }, "secret");
  await using reader = await scene.open("/login");
  await signIn(reader.page, secret);
  const shown = await openChecks(reader.page, denied);
  await shown.getByText("An exception is requested by those with the permission policy except.").waitFor();
  expect(await shown.getByRole("button").count()).toBe(0);

  await using admin = await scene.open(`/o/default/policies/${policySetId}`);
  await signIn(admin.page, api.token);
  await admin.page.getByRole("button", { name: "Request an exception" }).press("Enter");
  const asking = admin.page.getByRole("dialog", { name: "Request an exception from storage" });
  await asking.getByLabel("Reason").fill("No reason.");
  await asking.getByLabel("Last day").fill(dayAfter(1));
  await asking.getByRole("button", { name: "Request the exception" }).press("Enter");
  await asking.getByText(/Only a person who signs in may request an exception/).waitFor();
  expect([...reader.reports, ...admin.reports]).toEqual([]);
});
