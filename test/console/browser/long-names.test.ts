/** Names of the greatest length, without a space: no page becomes wider than a screen of 320 pixels (WCAG 1.4.10). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { createPolicySet, pushVersion } from "../../support/policy-steps.ts";
import { createHost, createRepository } from "../../support/repository-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { startWebhookTarget, type WebhookTarget } from "../../support/webhook-target.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { findWiderEnlarged } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

/** Gives a name of the widest small letter. */
const long = (word: string, length = 90): string => word.padEnd(length, "w");
const LABEL = `${long("key", 63)}:${long("value", 63)}`;
const WORKSPACE = long("workspace");
const MAIN = `variable "${long("variable")}" { default = "one" }
resource "terraform_data" "${long("resource")}" { input = "${long("input")}" }
output "${long("output")}" { value = "${long("text", 200)}" }`;

let target: WebhookTarget;
let scene: ConsoleScene;
let token: string;
/** The pages, each with texts that it has once all of it was read. */
let pages: readonly (readonly [path: string, ...texts: string[]])[];
beforeAll(async () => {
  target = await startWebhookTarget();
  scene = await openConsoleScene({ env: { HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${target.port}` } });
  const { api } = scene.server;
  token = (await must(api, "createToken", { name: long("person"), role: "ADMIN" }, "secret")).secret;
  pages = await fill();
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

async function fill(): Promise<typeof pages> {
  const api = scene.server.api.as(token);
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const organizationId: string = organization.id;
  const workspaceId = await scene.createWorkspace(WORKSPACE, { "main.tf": MAIN });
  const rules = {
    approvalRules: [{ name: long("rule"), gate: "PLAN", minimum: 1, machinesCount: true }],
    freezeWindows: [{ name: long("window"), cron: "0 0 1 1 *", durationMinutes: 60 }],
  };
  const address = `${target.url}/${long("path")}`;
  await must(
    api,
    "updateOrganization",
    { organizationId, name: long("organization"), ...rules },
    "organization { id }",
  );
  const { runnerPool } = await must(
    api,
    "createRunnerPool",
    { organizationId, name: long("pool", 63), description: long("purpose") },
    "runnerPool { id }",
  );
  await must(api, "createRunnerToken", { poolId: runnerPool.id, name: long("token") }, "secret");
  const settings = {
    description: long("description", 200),
    labels: [LABEL],
    hooks: [{ stage: "AFTER_APPLY", command: `true ${long("command")}` }],
    drift: { ignore: [{ addressGlob: long("address"), attribute: long("attribute") }] },
    rollbackSettings: { guards: [{ name: long("guard"), type: "OUTPUT" }] },
    probes: [{ name: long("probe", 63), kind: "HTTP", use: "HEALTH", target: address }],
  };
  await must(api, "updateWorkspace", { workspaceId, ...settings }, "workspace { id }");
  await must(api, "setVariable", { workspaceId, key: long("variable"), value: long("value") }, "workspace { id }");
  const runId = await createRun(api, workspaceId, { message: long("message", 200) });
  await must(api, "commentOnRun", { runId, text: long("comment") }, "comment { id }");
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  const { account, repository } = await fillOrganization(organizationId, workspaceId);

  const nightly = { organizationId, name: long("schedule"), action: "RUN", cron: "0 0 1 1 *" };
  const { schedule } = await must(api, "createSchedule", { ...nightly, workspaceId }, "schedule { id }");
  await must(api, "createSchedule", { ...nightly, label: LABEL }, "schedule { id }");
  const { changeset } = await must(api, "runScheduleNow", { scheduleId: schedule.id }, "changeset { id }");
  const hook = { url: address, description: long("webhook"), events: ["RUN_ENDED"], workspaceId };
  const { webhook } = await must(api, "createWebhook", { organizationId, ...hook }, "webhook { id }");
  const mapping = [{ key: long("metadata"), pointer: `/${long("pointer")}` }];
  const inbound = { organizationId, name: long("inbound"), kind: "PLAN", workspaceIds: [workspaceId], mapping };
  await must(api, "createInboundHook", inbound, "inboundHook { id }");
  const stages = ["one", "two"].map((stage) => ({ name: long(stage), label: `${stage}:${long("value", 63)}` }));
  const pipeline = { organizationId, name: long("pipeline"), stages };
  const { pipeline: made } = await must(api, "createPromotionPipeline", pipeline, "pipeline { id }");
  const selector = { names: [WORKSPACE], labels: [LABEL] };
  const check = {
    organizationId,
    name: long("check"),
    url: address,
    level: "ADVISORY",
    stages: ["POST_PLAN"],
    selector,
  };
  await must(api, "createExternalCheck", check, "externalCheck { id }");
  const { policySet } = await createPolicySet(api, { name: long("policies"), description: long("sense"), selector });
  const rule = { name: long("policy"), level: "MANDATORY", message: long("finding") };
  await pushVersion(api, { policySetId: policySet.id, rules: [{ ...rule, when: "true" }], state: "ACTIVE" });
  await must(api, "updateWorkspace", { workspaceId, ...rules }, "workspace { id }");
  await must(api, "lockWorkspace", { workspaceId, note: long("note") }, "workspace { id }");
  const of = "/o/default";
  const run = `${of}/w/${WORKSPACE}/runs/1`;
  return [
    [of, WORKSPACE],
    [`${of}/runs?show=all&q=${long("query")}`, long("query")],
    [`${of}/runs?show=all`, WORKSPACE],
    [`${of}/workspaces`, WORKSPACE],
    [`${of}/w/${WORKSPACE}`, long("probe", 63), long("guard"), "Deploy the current source"],
    [run, long("message", 200)],
    [`${run}?tab=checks`, WORKSPACE],
    [`${run}?tab=log`, long("resource")],
    [`${run}?tab=timeline`, WORKSPACE],
    [`${run}?tab=comments`, long("comment")],
    [`${of}/schedules`, long("schedule")],
    [`${of}/webhooks`, long("webhook")],
    [`${of}/webhooks/${webhook.id}`, long("webhook")],
    [`${of}/inbound-hooks`, long("inbound")],
    [`${of}/repositories`, long("host", 63)],
    [`${of}/repositories/${repository}`, long("repository")],
    [`${of}/pipelines`, long("pipeline")],
    [`${of}/pipelines/${made.id}`, long("pipeline")],
    [`${of}/runners`, long("pool", 63)],
    [`${of}/people`, account],
    [`${of}/policies`, long("policies")],
    [`${of}/policies/${policySet.id}`, long("policy")],
    [`${of}/checks`, long("check")],
    [`${of}/rules`, long("rule")],
    [`${of}/changesets`, long("schedule")],
    [`${of}/changesets/${changeset.id}`, long("schedule")],
    ["/inbox", WORKSPACE],
    ["/me", long("person")],
  ];
}

/** Creates the people, the teams, the projects and the repositories of an organization. */
async function fillOrganization(
  organizationId: string,
  workspaceId: string,
): Promise<{ account: string; repository: string }> {
  const api = scene.server.api.as(token);
  const account = long("account");
  const { actor } = await must(api, "createServiceAccount", { organizationId, name: account }, "actor { id }");
  await must(api, "createToken", { ownerId: actor.id, name: long("token") }, "secret");
  const claims = [{ name: long("claim"), value: long("value") }];
  const trust = {
    serviceAccountId: actor.id,
    issuer: `https://${long("ci", 60)}.example.com`,
    audience: long("aud"),
    claims,
  };
  await must(api, "createTrustRule", { ...trust, subject: long("subject") }, "trustRule { id }");
  const { team } = await must(api, "createTeam", { organizationId, name: long("team") }, "team { id }");
  await must(api, "addTeamMember", { teamId: team.id, actorId: actor.id }, "team { id }");
  await must(api, "inviteMember", { organizationId, name: long("guest"), teamIds: [team.id] }, "invitation { id }");
  const { project } = await must(api, "createProject", { organizationId, name: long("project") }, "project { id }");
  const child = { organizationId, name: long("child"), parentId: project.id };
  await must(api, "createProject", child, "project { id }");
  const permissions = ["WORKSPACE_READ", "RUN_READ"];
  const { role } = await must(
    api,
    "createRole",
    { organizationId, name: long("role"), description: long("duty"), permissions },
    "role { id }",
  );
  for (const scopeId of [project.id, workspaceId]) {
    const grant = { principalId: team.id, roleId: role.id, scopeId, reason: long("reason") };
    await must(api, "createGrant", grant, "grant { id }");
  }
  const { gitHost } = await createHost(api, {
    name: long("host", 63),
    url: `https://${long("git", 60)}.example.com`,
    token: "t",
  });
  const { id: repository } = await createRepository(api, gitHost.id, `acme/${long("repository")}`);
  return { account, repository };
}

const onlyFilled = (wider: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(wider).filter(([, elements]) => elements.length > 0));

it("has no page that is wider than its screen", async () => {
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await signIn(page, token);
  const wider: Record<string, string[]> = {};
  for (const [path, ...texts] of pages) {
    await page.goto(scene.site + path);
    for (const text of texts) await page.getByRole("main").getByText(text).first().waitFor();
    await untilLive(page);
    wider[path] = await findWiderEnlarged(page);
  }
  expect(onlyFilled(wider)).toEqual({});
  expect(reports).toEqual([]);
});

it("has no form and no question that is wider than its screen", async () => {
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await signIn(page, token);
  const wider: Record<string, string[]> = {};
  for (const path of [`/o/default/w/${WORKSPACE}`, "/o/default/people", "/o/default/runners"]) {
    await page.goto(scene.site + path);
    await page.getByRole("button", { name: "Delete…" }).first().waitFor();
    const openers = page.getByRole("main").getByRole("button", { name: /…$/, disabled: false });
    for (let at = 0; at < (await openers.count()); at += 1) {
      const opener = openers.nth(at);
      const name = await opener.textContent();
      await opener.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Close" }).waitFor();
      await dialog.getByText("Loading…").waitFor({ state: "detached" });
      wider[`${path}: ${name}`] = await findWiderEnlarged(page);
      await closeDialog(page);
    }
  }
  expect(onlyFilled(wider)).toEqual({});
  expect(reports).toEqual([]);
});
