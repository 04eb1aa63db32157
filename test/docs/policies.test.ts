/** The policies of docs/policies.md find what they are for, as they are in the page. */
import { expect, it } from "vitest";
import type { Json } from "../../src/model/plan/json.ts";
import type { PolicyContext } from "../../src/model/policy/evaluator.ts";
import type { CelRule } from "../../src/model/policy/policy-source.ts";
import { readDocumentedPolicies } from "../support/documented-policies.ts";
import {
  CONTEXT,
  celRule,
  celSource,
  change,
  inputOf,
  judgeHere,
  planOf,
  problemsHere,
} from "../support/policy-input.ts";

interface Example {
  plan?: Json;
  context?: Partial<PolicyContext>;
}

interface Examples {
  /** Each is a violation with this message. */
  found: [Example, message: string][];
  passed: Example[];
}

const resource = (type: string, after: Json, more: { [key: string]: Json } = {}): Example => ({
  plan: planOf(change(type, "x", after, more)),
});

const ingress = (more: { [key: string]: Json }) =>
  resource("aws_security_group", {
    ingress: [{ protocol: "tcp", from_port: 443, to_port: 443, cidr_blocks: [], ipv6_cidr_blocks: [], ...more }],
  });

const destroying = (count: number): Example => ({
  plan: planOf(...Array.from({ length: count }, (_, n) => change("t", `n${n}`, null, { actions: ["delete"] }))),
});

const costing = (monthlyDelta: string): Example => ({
  plan: planOf(),
  context: { cost: { currency: "USD", monthlyBefore: "1", monthlyAfter: "2", monthlyDelta } },
});

const at = (instant: string, labels: { [key: string]: string }): Example => ({
  plan: planOf(),
  context: { holdpoint: { ...CONTEXT.holdpoint, at: instant }, workspace: { labels } },
});

const policyText = (action: Json): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: action, Resource: "*" }] }, null, 2);

const EXAMPLES: { [name: string]: Examples } = {
  "no-public-buckets": {
    found: [[resource("aws_s3_bucket", { acl: "public-read" }), "aws_s3_bucket.x has the ACL public-read."]],
    passed: [
      resource("aws_s3_bucket", { acl: "private" }),
      resource("aws_s3_bucket", {}),
      resource("aws_s3_bucket", null, { actions: ["delete"], before: { acl: "public-read" } }),
    ],
  },
  "no-admin-port-for-the-world": {
    found: [
      [
        ingress({ from_port: 20, to_port: 30, cidr_blocks: ["10.0.0.0/8", "0.0.0.0/0"] }),
        "aws_security_group.x opens SSH or RDP to the world.",
      ],
      [
        ingress({ protocol: "-1", from_port: 0, to_port: 0, ipv6_cidr_blocks: ["::/0"] }),
        "aws_security_group.x opens SSH or RDP to the world.",
      ],
    ],
    passed: [
      ingress({ cidr_blocks: ["0.0.0.0/0"] }),
      ingress({ from_port: 22, to_port: 22, cidr_blocks: null, ipv6_cidr_blocks: [] }),
      ingress({ from_port: 22, to_port: 22, cidr_blocks: ["10.0.0.0/8"] }),
      resource("aws_security_group", {}),
    ],
  },
  "required-tags": {
    found: [
      [
        resource("aws_instance", { tags: { Owner: "a" } }),
        'aws_instance.x needs the tags Owner and CostCenter. It has {"Owner": "a"}.',
      ],
      [resource("aws_instance", { tags: null }), "aws_instance.x needs the tags Owner and CostCenter. It has null."],
      [resource("aws_instance", {}), "aws_instance.x needs the tags Owner and CostCenter. It has (no value)."],
    ],
    passed: [
      resource("aws_instance", { tags: { Owner: "a", CostCenter: "1" } }),
      resource("aws_instance", null, { actions: ["delete"] }),
      resource("aws_route", {}),
    ],
  },
  "databases-stay": {
    found: [
      [resource("aws_db_instance", null, { actions: ["delete"] }), "aws_db_instance.x would be destroyed (DELETE)."],
      [
        resource("aws_rds_cluster", {}, { actions: ["create", "delete"] }),
        "aws_rds_cluster.x would be destroyed (REPLACE).",
      ],
    ],
    passed: [resource("aws_db_instance", {}, { actions: ["update"] })],
  },
  "few-destructions": {
    found: [[destroying(11), "The plan destroys 11 resources."]],
    passed: [destroying(10)],
  },
  "encrypted-storage": {
    found: [
      [resource("aws_ebs_volume", { encrypted: false }), "aws_ebs_volume.x is not encrypted."],
      [resource("aws_ebs_volume", { encrypted: null }), "aws_ebs_volume.x is not encrypted."],
      [resource("aws_db_instance", {}), "aws_db_instance.x is not encrypted."],
    ],
    passed: [resource("aws_ebs_volume", { encrypted: true }), resource("aws_db_instance", { storage_encrypted: true })],
  },
  "usual-instance-types": {
    found: [[resource("aws_instance", { instance_type: "m5.24xlarge" }), "aws_instance.x has the type m5.24xlarge."]],
    passed: [resource("aws_instance", { instance_type: "t3.small" }), resource("aws_instance", {})],
  },
  "no-star-in-iam": {
    found: [
      [resource("aws_iam_policy", { policy: policyText("*") }), "aws_iam_policy.x allows every action."],
      [resource("aws_iam_role_policy", { policy: policyText(["*"]) }), "aws_iam_role_policy.x allows every action."],
    ],
    passed: [resource("aws_iam_policy", { policy: policyText("s3:*") }), resource("aws_iam_policy", {})],
  },
  "costs-rise": {
    found: [[costing("500.01"), "The plan costs 500.01 USD more a month."]],
    passed: [costing("500.00"), costing("-3"), { plan: planOf() }],
  },
  "no-friday-afternoon": {
    found: [[at("2026-11-27T14:00:00.000Z", { env: "prod" }), "Production rests from Friday 15:00 on."]],
    passed: [
      at("2026-11-27T13:59:59.000Z", { env: "prod" }),
      at("2026-11-26T14:00:00.000Z", { env: "prod" }),
      at("2026-11-27T14:00:00.000Z", { env: "stage" }),
      at("2026-11-27T14:00:00.000Z", {}),
    ],
  },
};

const rules = readDocumentedPolicies().map((rule) => celRule(rule.when, rule as Partial<CelRule>));

it("has ten of them", () => {
  expect(rules.map(({ name }) => name)).toEqual(Object.keys(EXAMPLES));
  expect(rules).toHaveLength(10);
  expect(problemsHere(celSource(...rules))).toEqual([]);
});

it.each(rules.map((rule) => [rule.name, rule] as const))("%s", (name, rule) => {
  const judged = ({ plan = planOf(), context = {} }: Example) =>
    judgeHere(celSource(rule), inputOf(plan, { context, point: rule.point }))[0];
  const { found = [], passed = [] } = EXAMPLES[name] ?? {};
  for (const [example, message] of found)
    expect(judged(example)).toMatchObject({ findings: [{ message }], errors: [] });
  for (const example of passed) expect(judged(example)).toEqual({ findings: [], errors: [], dropped: 0 });
});
