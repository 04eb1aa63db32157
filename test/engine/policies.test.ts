/** Policies in CEL about plans of a real engine, by the public API alone: from the plan to the apply, or to its refusal. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { formsOf, holds } from "./canary-search.ts";
import { data, type Holdpoint, PATIENCE_MS, startHoldpoint, type TestWorkspace } from "../e2e/holdpoint.ts";
import { type Data, waitForStatus } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";
import { createPolicySet, pushVersion, sendPolicy, tryPolicy } from "../support/policy-steps.ts";
import { approve, readRun } from "../support/run-steps.ts";
import { freePort } from "../support/server-process.ts";
import { sendWebhookCommand } from "../support/webhook-steps.ts";
import { startWebhookTarget, type WebhookTarget } from "../support/webhook-target.ts";

const SECRET = "variable-canary-Kq7w";
const MADE = "made-by-the-configuration-canary-Zx3n";
/** Goes the same ways, and is no secret. */
const MARKER = "visible-marker-Tb5k";

const SEALED = `
  variable "secret" {}
  locals { made = sensitive(join("-", ["made", "by", "the", "configuration", "canary", "Zx3n"])) }
  ${data("sealed", 'input = { secret = var.secret, made = local.made, marker = "' + MARKER + '" }')}`;

const on = (word: string): string => `has(resource.after.input) && resource.after.input == '${word}'`;
/** Each message and each trace has all that the resource has. */
const rule = (name: string, level: string, when: string, more: object = {}): object => {
  return { name, level, types: ["terraform_data"], when, message: "{{resource.address}}: {{resource.after}}", ...more };
};
const SHOWN = "resource.name == 'sealed' && resource.after.input.secret != resource.after.input.made";
const RULES = [
  rule("denies", "MANDATORY", on("denied")),
  rule("asks", "SOFT_MANDATORY", on("asked")),
  rule("warns", "ADVISORY", on("warned")),
  rule("shows", "ADVISORY", SHOWN, { stopsAutoApply: false }),
];
const DENY_ALL = {
  name: "nothing",
  level: "MANDATORY",
  each: "PLAN",
  when: "true",
  message: "Nothing is applied now.",
};

let target: WebhookTarget;
let holdpoint: Holdpoint;
let workspace: TestWorkspace;
let policySetId: string;
let seen = "";
beforeAll(async () => {
  const port = await freePort();
  target = await startWebhookTarget(port);
  holdpoint = await startHoldpoint({ HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${port}` });
  const { api } = holdpoint;
  workspace = await holdpoint.workspace("judged", { "main.tf": SEALED });
  await workspace.update({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
  await workspace.setVariable({ key: "secret", value: SECRET, sensitive: true });
  const events = ["RUN_POLICY_DENIED", "RUN_GATE_WAITING", "RUN_ENDED"];
  const hook = { organizationId: DEFAULT_ORGANIZATION_ID, url: `http://127.0.0.1:${port}/`, events };
  expect((await sendWebhookCommand(api, "createWebhook", hook)).__typename).toBe("CreateWebhookSuccess");
  const overriders = { minimum: 1, excludeRequester: false };
  const created = await createPolicySet(api, { selector: { workspaceIds: [workspace.id] }, overriders });
  policySetId = created.policySet.id;
  await activate(RULES);
}, PATIENCE_MS);
afterAll(async () => {
  await holdpoint[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

async function activate(rules: object[]): Promise<string> {
  const pushed = await pushVersion(holdpoint.api, { policySetId, rules, state: "ACTIVE" });
  expect(pushed).toMatchObject({ version: { state: "ACTIVE" } });
  return pushed.version.id;
}

/** A run of a configuration with one more resource, until it waits or has ended. */
async function judged(word: string, status: Parameters<typeof waitForStatus>[2]): Promise<Data> {
  await workspace.write({ "main.tf": SEALED + data(word, `input = "${word}"`) });
  const id = await workspace.createRun();
  await waitForStatus(holdpoint.api, id, status);
  return read(id);
}

async function read(id: string): Promise<Data> {
  const { run } = await holdpoint.api.ask(
    `query ($id: ID!) { run(id: $id) { id status outcome reason policyWarnings failure { code summary message evidence }
      dialects { forgecroft { plan apply } }
      policyEvaluations { point status error results(first: 50) { edges { node { id policy rule level status message remediation
        addresses trace { expression value } overriddenBy { id } } } } }
      events(first: 100) { edges { node { __typename ... on RunStatusChanged { to reason }
        ... on PolicyEvaluated { evaluation { error results(first: 50) { edges { node { message trace { value } } } } } } } } } } }`,
    { id },
  );
  seen += JSON.stringify(run);
  return run;
}

const found = (run: Data, point = "PLAN"): string[] =>
  run.policyEvaluations
    .filter((one: Data) => one.point === point)
    .flatMap(({ results }: Data) => results.edges.map(({ node }: Data) => node.policy));

describe("policies of a real plan", { timeout: 2 * PATIENCE_MS }, () => {
  it("warn, which stops auto-apply until a person approves", async () => {
    const run = await judged("warned", "AWAITING_APPLY_APPROVAL");
    expect(found(run).toSorted()).toEqual(["shows", "warns"]);
    expect(run).toMatchObject({ dialects: { forgecroft: { plan: "COMPLETED" } } });
    expect(run.policyWarnings).toBeGreaterThan(0);
    expect((await readRun(holdpoint.api, run.id)).statuses).toContain("POLICY_CHECKING");
    await approve(holdpoint.api, run.id, "APPLY");
    expect(await waitForStatus(holdpoint.api, run.id, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    await read(run.id);
  });

  it("reject what is MANDATORY", async () => {
    const run = await judged("denied", "REJECTED");
    expect(found(run)).toEqual(["denies"]);
    expect(run).toMatchObject({
      failure: { code: "POLICY_DENIED" },
      dialects: { forgecroft: { plan: "REJECTED" } },
    });
    expect(run.failure.evidence.join()).toContain("terraform_data.denied");
    const { statuses } = await readRun(holdpoint.api, run.id);
    expect(statuses).not.toContain("APPLYING");
  });

  it("ask, and a person overrides; then it is applied", async () => {
    await workspace.update({ autoApply: "NEVER" });
    const run = await judged("asked", "AWAITING_PLAN_APPROVAL");
    expect(run).toMatchObject({ dialects: { forgecroft: { plan: "PENDING_APPROVAL" } } });
    await override(run);
    await waitForStatus(holdpoint.api, run.id, "AWAITING_APPLY_APPROVAL");
    await approve(holdpoint.api, run.id, "APPLY");
    expect(await waitForStatus(holdpoint.api, run.id, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    const [asked] = (await read(run.id)).policyEvaluations[0].results.edges;
    expect(asked.node).toMatchObject({ policy: "asks", overriddenBy: { id: expect.any(String) } });
  });

  it("do not deny a plan without changes; one that was activated after the approval denies before the apply", async () => {
    await workspace.write({ "main.tf": SEALED + data("later", 'input = "later"') });
    const id = await workspace.createRun();
    await waitForStatus(holdpoint.api, id, "AWAITING_APPLY_APPROVAL");
    await activate([DENY_ALL]);
    await approve(holdpoint.api, id, "APPLY");
    await waitForStatus(holdpoint.api, id, "REJECTED");
    const run = await read(id);
    expect(run.failure).toMatchObject({ code: "POLICY_DENIED" });
    expect(found(run, "PRE_APPLY")).toEqual(["nothing"]);
    expect((await readRun(holdpoint.api, id)).statuses).not.toContain("APPLYING");

    // What the last apply left.
    const unchanged = await judged("asked", "FINISHED");
    expect(unchanged).toMatchObject({ outcome: "NO_CHANGES", policyEvaluations: [] });
  });

  it("show no secret: neither results and traces, nor events, webhooks and trials", async () => {
    await activate(RULES);
    await workspace.write({ "main.tf": SEALED.replace(MARKER, `${MARKER}-2`) });
    const id = await workspace.createRun();
    await waitForStatus(holdpoint.api, id, "AWAITING_APPLY_APPROVAL");
    const run = await read(id);
    expect(found(run)).toEqual(["shows"]);
    const { api, server } = holdpoint;
    const { plan } = (await api.ask("query ($id: ID!) { run(id: $id) { plan { id } } }", { id })).run;
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await fetch(`${server.url}/plans/${plan.id}/policy-input`, { headers });
    const document = await answer.text();
    expect(answer.status).toBe(200);
    const trial = await tryPolicy(api, { policySetId, document, rules: RULES });
    expect(trial).toMatchObject({ problems: [], errors: [], findings: [{ policy: "shows" }] });
    await waitUntil(() => target.received.some(({ body }) => body.includes('"run.policy.denied"')));
    const places = {
      seen,
      document,
      trial: JSON.stringify(trial),
      hooks: target.received.map(({ body }) => body).join(),
    };
    for (const [place, text] of Object.entries(places)) {
      for (const secret of [SECRET, MADE])
        expect([place, secret, holds(text, formsOf(secret))]).toEqual([place, secret, false]);
      if (place !== "hooks") expect([place, holds(text, formsOf(MARKER))]).toEqual([place, true]);
    }
    expect(seen).toContain('"value":"\\"hp:');
  });
});

/** Overrides everything that asks. */
async function override(run: Data): Promise<void> {
  const resultIds = run.policyEvaluations
    .flatMap(({ results }: Data) => results.edges.map(({ node }: Data) => node))
    .filter(({ level }: Data) => level === "SOFT_MANDATORY")
    .map(({ id }: Data) => id);
  const input = { runId: run.id, planVersion: 1, resultIds, comment: "It is asked for: OPS-1." };
  const done = await sendPolicy(holdpoint.api, "overridePolicies", input, "run { status }");
  expect(done.__typename).toBe("OverridePoliciesSuccess");
}
