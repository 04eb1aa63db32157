/**
 * The ten policies of docs/policies.md about plans of a real engine: a plan that passes them all, and one that each denies. The
 * engine has no provider but its own here, so each resource is a `terraform_data` that is named after the type and holds its
 * attributes as its input.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Holdpoint, PATIENCE_MS, startHoldpoint, type TestWorkspace } from "../e2e/holdpoint.ts";
import { type Data, waitForStatus } from "../support/api.ts";
import { type DocumentedPolicy, readDocumentedPolicies } from "../support/documented-policies.ts";
import { createPolicySet, pushVersion } from "../support/policy-steps.ts";
import { readRun } from "../support/run-steps.ts";

let holdpoint: Holdpoint;
let workspace: TestWorkspace;
let policySetId: string;
beforeAll(async () => {
  holdpoint = await startHoldpoint();
  workspace = await holdpoint.workspace("documented", {});
  await workspace.update({
    planApproval: "WHEN_REQUIRED",
    autoApply: "ALWAYS",
    labels: ["env:prod"],
    hooks: [{ stage: "AFTER_PLAN", command: 'cp costs.json "$HOLDPOINT_POLICY_INPUT/infracost.json"' }],
  });
  const created = await createPolicySet(holdpoint.api, { selector: { workspaceIds: [workspace.id] } });
  policySetId = created.policySet.id;
}, PATIENCE_MS);
afterAll(() => holdpoint[Symbol.asyncDispose]());

/** Lets a rule find its types by the names of resources, and their attributes in the input of `terraform_data`. */
function adapted({ types, when, message, ...rule }: DocumentedPolicy): object {
  const attributes = (text: string): string => text.replaceAll("resource.after.", "resource.after.input.");
  if (types === undefined) return { ...rule, when, message };
  const condition = attributes(when).replaceAll("resource.type", "resource.name");
  return {
    ...rule,
    types: ["terraform_data"],
    when: `resource.name in ${JSON.stringify(types)} && (${condition})`,
    message: attributes(message),
  };
}

/** Makes the rule about Fridays one about these days, 0 being Sunday, from midnight on. */
function onDays(rule: DocumentedPolicy, days: readonly number[]): DocumentedPolicy {
  if (rule.point !== "PRE_APPLY") return rule;
  const when = rule.when.replace("== 5", `in ${JSON.stringify(days)}`).replace(">= 15", ">= 0");
  expect(when).not.toBe(rule.when);
  return { ...rule, when };
}

async function activate(days: readonly number[]): Promise<void> {
  const rules = readDocumentedPolicies().map((rule) => adapted(onDays(rule, days)));
  expect(rules).toHaveLength(10);
  const pushed = await pushVersion(holdpoint.api, { policySetId, rules, state: "ACTIVE" });
  expect(pushed).toMatchObject({ version: { state: "ACTIVE" } });
}

interface Shape {
  acl: string;
  port: number;
  tags: object;
  database: string;
  encrypted: boolean;
  size: string;
  action: string;
  others: number;
  delta: string;
}

const GOOD: Shape = {
  acl: "private",
  port: 443,
  tags: { Owner: "a", CostCenter: "1" },
  database: "one",
  encrypted: true,
  size: "t3.small",
  action: "s3:Get*",
  others: 11,
  delta: "40",
};
const BAD: Shape = {
  acl: "public-read",
  port: 22,
  tags: { Owner: "a" },
  database: "two",
  encrypted: false,
  size: "m5.24xlarge",
  action: "*",
  others: 0,
  delta: "500.01",
};

/** Writes the configuration of a shape, and what its hook estimates. */
function write({ acl, port, tags, database, encrypted, size, action, others, delta }: Shape): Promise<void> {
  const json = JSON.stringify;
  const named = (type: string, input: string, more = ""): string =>
    `resource "terraform_data" "${type}" {\n  input = ${input}\n  ${more}\n}\n`;
  const rule = `{ protocol = "tcp", from_port = ${port}, to_port = ${port}, cidr_blocks = ["0.0.0.0/0"], ipv6_cidr_blocks = null }`;
  const main = [
    named("aws_s3_bucket", `{ acl = ${json(acl)}, tags = ${json(tags)} }`),
    named("aws_security_group", `{ ingress = [${rule}] }`),
    named("aws_instance", `{ instance_type = ${json(size)}, tags = ${json(tags)} }`),
    named("aws_dynamodb_table", `{ name = "orders" }`, `triggers_replace = ${json(database)}`),
    named("aws_ebs_volume", `{ encrypted = ${encrypted} }`),
    named(
      "aws_iam_policy",
      `{ policy = jsonencode({ Statement = [{ Effect = "Allow", Action = ${json(action)} }] }) }`,
    ),
    `resource "terraform_data" "other" {\n  count = ${others}\n}\n`,
  ].join("");
  const costs = { currency: "EUR", projects: [{ breakdown: { totalMonthlyCost: delta } }] };
  return workspace.write({ "main.tf": main, "costs.json": JSON.stringify(costs) });
}

/** Reads a run with what was found, as messages by policy. */
async function read(id: string): Promise<{ run: Data; found: Record<string, string> }> {
  const { run } = await holdpoint.api.ask(
    `query ($id: ID!) { run(id: $id) { failure { code } plan { cost { monthlyDelta } } policyEvaluations { point status error
      results(first: 50) { edges { node { policy level message addresses } } } } } }`,
    { id },
  );
  const results: Data[] = run.policyEvaluations.flatMap((one: Data) => one["results"].edges);
  return { run, found: Object.fromEntries(results.map(({ node }) => [node.policy, node.message])) };
}

/** Today and tomorrow, wherever it is which day. */
const DAYS = [6, 7, 8].map((days) => (new Date().getUTCDay() + days) % 7);
const OTHER_DAYS = [0, 1, 2, 3, 4, 5, 6].filter((day) => !DAYS.includes(day));

it("all pass one plan, which is applied; nine deny the next one, and the tenth its apply", {
  timeout: PATIENCE_MS,
}, async () => {
  await activate(OTHER_DAYS);
  await write(GOOD);
  const good = await workspace.runToEnd();
  const passed = await read(good.id);
  expect(passed.run.plan.cost).toEqual({ monthlyDelta: "40.00" });
  expect(passed.run.policyEvaluations).toMatchObject([
    { point: "PLAN", status: "PASSED", error: null },
    { point: "PRE_APPLY", status: "PASSED", error: null },
  ]);

  await write(BAD);
  const bad = await workspace.runToEnd({}, "REJECTED");
  const denied = await read(bad.id);
  expect(denied.run.failure).toEqual({ code: "POLICY_DENIED" });
  expect(denied.found).toEqual({
    "no-public-buckets": "terraform_data.aws_s3_bucket has the ACL public-read.",
    "no-admin-port-for-the-world": "terraform_data.aws_security_group opens SSH or RDP to the world.",
    "required-tags": expect.stringContaining('needs the tags Owner and CostCenter. It has {"Owner": "a"}.'),
    "databases-stay": "terraform_data.aws_dynamodb_table would be destroyed (REPLACE).",
    "few-destructions": "The plan destroys 12 resources.",
    "encrypted-storage": "terraform_data.aws_ebs_volume is not encrypted.",
    "usual-instance-types": "terraform_data.aws_instance has the type m5.24xlarge.",
    "no-star-in-iam": "terraform_data.aws_iam_policy allows every action.",
    "costs-rise": "The plan costs 500.01 EUR more a month.",
  });
  expect((await readRun(holdpoint.api, bad.id)).statuses).not.toContain("APPLYING");

  await activate(DAYS);
  await write({ ...GOOD, tags: { Owner: "b", CostCenter: "1" } });
  const late = await workspace.createRun();
  await waitForStatus(holdpoint.api, late, "REJECTED");
  expect((await read(late)).found).toEqual({ "no-friday-afternoon": "Production rests from Friday 15:00 on." });
  expect((await readRun(holdpoint.api, late)).statuses).not.toContain("APPLYING");
  await workspace.update({ labels: ["env:stage"] });
  await workspace.runToEnd();
});
