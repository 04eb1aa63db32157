/** Versions of policy sets: what is pushed, their tests, and trials. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleOf } from "../../../src/domain/policy/read-bundle.ts";
import { uploadSource } from "../../../src/domain/source/upload-source.ts";
import { readPolicySources } from "../../../src/domain/policy/read-policy-source.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { createPolicySet, pushVersion, setVersionState, tryPolicy } from "../../support/policy-steps.ts";
import { packed } from "../../support/tar.ts";
import { walk } from "../../support/walk.ts";
import { admin } from "../access/sample.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const newSet = async (input: object = {}): Promise<string> => (await createPolicySet(scene.api, input)).policySet.id;
const push = (input: object): Promise<Data> => pushVersion(scene.api, input);

const PUBLIC_BUCKET = {
  name: "no-public-bucket",
  level: "MANDATORY",
  types: ["aws_s3_bucket"],
  when: 'resource.after.acl == "public-read"',
  message: "The bucket {{resource.address}} is public.",
};

/** A plan with one bucket. */
function plan(acl: string, address = "aws_s3_bucket.logs"): string {
  const change = { actions: ["create"], before: null, after: { acl }, after_unknown: {} };
  const resource = { address, mode: "managed", type: "aws_s3_bucket", name: address.split(".").at(-1), change };
  return JSON.stringify({ plan: { format_version: "1.2", resource_changes: [resource] }, custom: {} });
}

const FAILS = {
  name: "a public bucket",
  given: { document: plan("public-read") },
  expect: { failed: [{ policy: "no-public-bucket", addresses: ["aws_s3_bucket.logs"] }] },
};
const PASSES = {
  name: "a private one",
  given: { document: plan("private") },
  expect: { passed: ["no-public-bucket"] },
};

async function contentOf(id: string): Promise<Data> {
  const query = `query ($id: ID!) { node(id: $id) { ... on PolicySetVersion { number state digest message
    createdBy { id } policies { name point level stopsAutoApply types }
    rules { name point level each types actions when message remediation approvers { name minimum } }
    tests { name document fixtureId context failed { policy rule addresses } passed }
    testReport { passed results { name passed problems } } } } }`;
  return (await scene.api.ask(query, { id })).node;
}

it("a version has its rules, its policies and the results of its tests, and never changes", async () => {
  const policySetId = await newSet();
  const approvers = { name: "security", minimum: 2 };
  const rules = [
    PUBLIC_BUCKET,
    {
      name: "few",
      level: "ADVISORY",
      each: "PLAN",
      when: "false",
      message: "Too many.",
      approvers,
      stopsAutoApply: false,
    },
  ];
  const { version } = await push({ policySetId, rules, tests: [FAILS, PASSES], message: "Buckets are private." });
  expect(await contentOf(version.id)).toMatchObject({
    number: 1,
    state: "DRAFT",
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    message: "Buckets are private.",
    createdBy: { id: ADMIN_ACTOR_ID },
    policies: [
      { name: "no-public-bucket", point: "PLAN", level: "MANDATORY", stopsAutoApply: true, types: ["aws_s3_bucket"] },
      { name: "few", point: "PLAN", level: "ADVISORY", stopsAutoApply: false, types: [] },
    ],
    rules: [
      { ...PUBLIC_BUCKET, each: "RESOURCE", actions: null, remediation: null, approvers: null },
      { name: "few", each: "PLAN", approvers },
    ],
    tests: [
      { name: "a public bucket", document: plan("public-read"), failed: [{ policy: "no-public-bucket", rule: null }] },
      { name: "a private one", passed: ["no-public-bucket"] },
    ],
    testReport: {
      passed: true,
      results: [
        { passed: true, problems: [] },
        { passed: true, problems: [] },
      ],
    },
  });
  const { id: again } = (await push({ policySetId, rules })).version;
  const [one, other] = [await contentOf(version.id), await contentOf(again)];
  expect([other.number, other.digest, other.testReport]).toEqual([2, one.digest, null]);
  expect((await push({ policySetId, rules: [PUBLIC_BUCKET] })).version.digest).not.toBe(one.digest);
});

it("is pushed as an active or a shadow version as well", async () => {
  const policySetId = await newSet();
  const first = await push({ policySetId, rules: [PUBLIC_BUCKET], state: "ACTIVE" });
  expect(first.version).toMatchObject({ state: "ACTIVE", activatedBy: { id: ADMIN_ACTOR_ID } });
  const shadow = await push({ policySetId, rules: [PUBLIC_BUCKET], state: "SHADOW" });
  const second = await push({ policySetId, rules: [PUBLIC_BUCKET], tests: [FAILS], state: "ACTIVE" });
  const states = [first, shadow, second].map(async ({ version }) => (await contentOf(version.id)).state);
  expect(await Promise.all(states)).toEqual(["RETIRED", "SHADOW", "ACTIVE"]);
});

it("what does not compile is refused with its file and its place", async () => {
  const policySetId = await newSet();
  const rules = [PUBLIC_BUCKET, { ...PUBLIC_BUCKET, name: "broken", when: "resource.after.acl ==" }];
  const refused = await push({ policySetId, rules });
  expect(refused.code).toBe("POLICY_INVALID");
  expect(refused.problems).toEqual([
    { file: "broken.when", line: 1, column: expect.any(Number), message: expect.any(String) },
  ]);
  const unknown = await push({ policySetId, rules: [{ ...PUBLIC_BUCKET, when: "nosuch(resource)" }] });
  expect(unknown.problems).toEqual([expect.objectContaining({ file: "no-public-bucket.when" })]);
  expect(await scene.rows("select id from policy_set_version where set_id = $1", policySetId)).toEqual([]);
});

it("a test that fails keeps the version from being active, and says which and why", async () => {
  const policySetId = await newSet();
  const rules = [{ ...PUBLIC_BUCKET, when: "false" }];
  const tests = [PASSES, FAILS];
  const refused = await push({ policySetId, rules, tests, state: "ACTIVE" });
  expect(refused.code).toBe("POLICY_INVALID");
  expect(refused.problems.map(({ message }: Data) => message)).toEqual([
    "a public bucket: The policy no-public-bucket must fail, and passed.",
  ]);
  const { version } = await push({ policySetId, rules, tests });
  expect((await contentOf(version.id)).testReport).toMatchObject({
    passed: false,
    results: [{ passed: true }, { passed: false }],
  });
  expect(await setVersionState(scene.api, version.id, "ACTIVE")).toMatchObject({ code: "POLICY_INVALID" });
  expect((await setVersionState(scene.api, version.id, "SHADOW")).version.state).toBe("SHADOW");
});

it("a policy that cannot be judged fails its tests, also where it is expected to pass", async () => {
  const policySetId = await newSet();
  const rules = [{ ...PUBLIC_BUCKET, when: "resource.after.missing.deeper == 1" }];
  const { version } = await push({ policySetId, rules, tests: [PASSES] });
  const [result] = (await contentOf(version.id)).testReport.results;
  expect(result).toMatchObject({ passed: false, problems: [expect.stringContaining("no-public-bucket")] });
});

it("a test gives what is known beside the plan", async () => {
  const policySetId = await newSet();
  const rules = [
    {
      ...PUBLIC_BUCKET,
      each: "PLAN",
      types: null,
      when: 'workspace.labels.env == "prod"',
      message: "in {{workspace.name}}",
    },
  ];
  const context = JSON.stringify({ workspace: { name: "web", labels: { env: "prod" } } });
  const tests = [
    { ...FAILS, given: { document: plan("private"), context }, expect: { failed: [{ policy: PUBLIC_BUCKET.name }] } },
  ];
  const { version } = await push({ policySetId, rules, tests, state: "ACTIVE" });
  expect(version.state).toBe("ACTIVE");
});

describe("bad input is refused by its field:", () => {
  const many = <T>(count: number, value: (n: number) => T) => Array.from({ length: count }, (_, n) => value(n));
  const rule = (more: object) => ({ rules: [{ ...PUBLIC_BUCKET, ...more }] });
  const test = (more: object) => ({ rules: [PUBLIC_BUCKET], tests: [{ ...PASSES, ...more }] });
  const given = (more: object) => test({ given: { document: plan("private"), ...more } });
  const deep = `{"run":${"[".repeat(1000)}${"]".repeat(1000)}}`;
  const person = `usr_${"1".repeat(26)}`;
  it.each<[string, object, string]>(
    walk(
      [
        ["no rules", {}, "rules"],
        ["an empty list", { rules: [] }, "rules"],
        ["too many rules", { rules: many(201, (n) => ({ ...PUBLIC_BUCKET, name: `r${n}` })) }, "rules"],
        ["a module beside rules", { ...rule({}), uploadId: "upl_x" }, "uploadId"],
        ["policies beside rules", { ...rule({}), policies: [] }, "policies"],
        ["a state that ends", { ...rule({}), state: "RETIRED" }, "state"],
        ["a long message", { ...rule({}), message: "x".repeat(LIMITS.textLength + 1) }, "message"],
        ["a rule without a name", rule({ name: "" }), "rules.0.name"],
        ["half a surrogate", rule({ name: "\ud800" }), "rules.0.name"],
        ["an empty expression", rule({ when: " " }), "rules.0.when"],
        ["a long expression", rule({ when: "x".repeat(8193) }), "rules.0.when"],
        ["an expression with U+0000", rule({ when: "true\0" }), "rules.0.when"],
        [
          "approvals where there is no gate",
          rule({ point: "RUN_CREATE", each: "PLAN", approvers: { name: "s" } }),
          "rules.0.approvers",
        ],
        ["no words", rule({ message: "" }), "rules.0.message"],
        ["an empty remediation", rule({ remediation: "" }), "rules.0.remediation"],
        ["no types", rule({ types: [] }), "rules.0.types"],
        ["what is no type", rule({ types: ["aws s3"] }), "rules.0.types.0"],
        ["no actions", rule({ actions: [] }), "rules.0.actions"],
        ["approvals of nobody", rule({ approvers: { name: "s", minimum: 0 } }), "rules.0.approvers.minimum"],
        [
          "approvals of strangers",
          rule({ approvers: { name: "s", approverIds: [person] } }),
          "rules.0.approvers.approverIds.0",
        ],
        [
          "too many tests",
          { rules: [PUBLIC_BUCKET], tests: many(101, (n) => ({ ...PASSES, name: `t${n}` })) },
          "tests",
        ],
        ["two tests of one name", { rules: [PUBLIC_BUCKET], tests: [PASSES, PASSES] }, "tests.1.name"],
        ["a test that expects nothing", test({ expect: {} }), "tests.0.expect"],
        ["a test of another policy", test({ expect: { passed: ["other"] } }), "tests.0.expect.passed.0"],
        [
          "a failure of another policy",
          test({ expect: { failed: [{ policy: "other" }] } }),
          "tests.0.expect.failed.0.policy",
        ],
        ["neither document nor fixture", test({ given: {} }), "tests.0.given"],
        [
          "a document where there is no plan",
          test({ given: { point: "RUN_CREATE", document: plan("private") } }),
          "tests.0.given.document",
        ],
        ["what is no JSON", given({ document: "{" }), "tests.0.given.document"],
        ["a document without a plan", given({ document: "{}" }), "tests.0.given.document"],
        ["a context that is no object", given({ context: "[]" }), "tests.0.given.context"],
        ["a context of unknown keys", given({ context: '{"holdpoint":{}}' }), "tests.0.given.context"],
        ["a context of 1,000 levels", given({ context: deep }), "tests.0.given.context"],
        ["a fixture of nothing", test({ given: { fixtureId: "x" } }), "tests.0.given.fixtureId"],
      ],
      10,
    ),
  )("%s", async (_name, input, path) => {
    const refused = await push({ policySetId: await newSet(), ...input });
    expect(refused.code).toBe("INVALID_INPUT");
    expect(refused.issues.map((issue: Data) => issue.path.join("."))).toEqual([path]);
  });
});

describe("compiled modules", () => {
  async function upload(files: Record<string, string | Buffer>): Promise<string> {
    const body = await packed(Object.entries(files).map(([name, content]) => ({ name, body: content })));
    return (await uploadSource(scene.server.deps, admin, async () => body)).id;
  }
  const POLICIES = [{ name: "deny", entrypoint: "terraform/deny", level: "MANDATORY" }];
  const wasmSet = () => newSet({ language: "REGO_WASM", dialect: "HCP" });

  it("are read from a bundle; what is none is refused", async () => {
    const policySetId = await wasmSet();
    const pushed = async (files: Record<string, string | Buffer>, more: object = {}): Promise<Data> =>
      push({ policySetId, uploadId: await upload(files), policies: POLICIES, ...more });
    expect((await pushed({ "policy.rego": "package terraform" })).issues[0].path).toEqual(["uploadId"]);
    expect((await pushed({ "policy.wasm": "x", "data.json": "{" })).issues[0].path).toEqual(["uploadId"]);
    const broken = await pushed({ "policy.wasm": "no module", "data.json": "{}" });
    expect(broken.code).toBe("POLICY_INVALID");
    expect(broken.problems.length).toBeGreaterThan(0);
    const others = await push({ policySetId, uploadId: `upl_${"1".repeat(26)}`, policies: POLICIES });
    expect(others.issues[0].path).toEqual(["uploadId"]);
    expect((await push({ policySetId, rules: [PUBLIC_BUCKET] })).issues.map(({ path }: Data) => path[0])).toEqual([
      "rules",
      "uploadId",
      "policies",
    ]);
    const twice = { policies: [...POLICIES, ...POLICIES] };
    expect((await pushed({ "policy.wasm": "x" }, twice)).issues[0].path).toEqual(["policies", "1", "name"]);
    const early = { policies: [{ ...POLICIES[0], point: "RUN_CREATE" }] };
    expect((await pushed({ "policy.wasm": "x" }, early)).issues).toEqual([
      { path: ["policies", "0", "point"], message: expect.stringContaining("the input of the dialect HCP is a plan") },
    ]);
    const odd = { policies: [{ ...POLICIES[0], entrypoint: "../x y" }] };
    expect((await pushed({ "policy.wasm": "x" }, odd)).issues[0].path).toEqual(["policies", "0", "entrypoint"]);
  });
});

it("a module of 33 MiB is refused", async () => {
  const body = Buffer.alloc(33 * 1024 * 1024);
  const entry = { name: "policy.wasm", executable: false, target: null, read: async () => body };
  await expect(bundleOf([entry])).rejects.toThrow("uploadId: has a module of 34603008 bytes");
});

describe("a trial", () => {
  it("shows findings with their traces, and stores nothing", async () => {
    const policySetId = await newSet();
    const trial = await tryPolicy(scene.api, { policySetId, rules: [PUBLIC_BUCKET], document: plan("public-read") });
    expect(trial).toMatchObject({ problems: [], errors: [], passed: 0, dropped: 0 });
    expect(trial.findings).toEqual([
      {
        policy: "no-public-bucket",
        rule: "no-public-bucket",
        level: "MANDATORY",
        message: "The bucket aws_s3_bucket.logs is public.",
        addresses: ["aws_s3_bucket.logs"],
        demandsApprovals: false,
        trace: expect.arrayContaining([expect.objectContaining({ value: expect.stringContaining("public-read") })]),
      },
    ]);
    expect(await scene.rows("select id from policy_set_version where set_id = $1", policySetId)).toEqual([]);
  });

  it("shows what does not compile, and what cannot be judged", async () => {
    const policySetId = await newSet();
    const given = { policySetId, document: plan("private") };
    const broken = await tryPolicy(scene.api, { ...given, rules: [{ ...PUBLIC_BUCKET, when: "1 +" }] });
    expect(broken.problems).toEqual([expect.objectContaining({ file: "no-public-bucket.when", line: 1 })]);
    const failing = await tryPolicy(scene.api, { ...given, rules: [{ ...PUBLIC_BUCKET, when: "resource.after.x.y" }] });
    expect(failing.errors).toEqual([expect.objectContaining({ policy: "no-public-bucket", kind: "EXPRESSION" })]);
  });

  it("asks at RUN_CREATE without a plan", async () => {
    const policySetId = await newSet();
    const early = { name: "early", level: "MANDATORY", point: "RUN_CREATE", each: "PLAN", message: "{{run.kind}}" };
    const rules = [{ ...early, when: "plan == null && run.id == null && run.kind == 'PLAN'" }];
    const context = JSON.stringify({ run: { kind: "PLAN", id: "run_1" } });
    const trial = await tryPolicy(scene.api, { policySetId, rules, point: "RUN_CREATE", context });
    expect(trial).toMatchObject({ errors: [], findings: [{ policy: "early", message: "PLAN" }] });
    expect((await tryPolicy(scene.api, { policySetId, rules, document: plan("private") })).findings).toEqual([]);
    const beside = { policySetId, rules, point: "RUN_CREATE", document: plan("private") };
    await expect(tryPolicy(scene.api, beside)).rejects.toThrow("document: must be absent at RUN_CREATE");
  });

  it("tests of versions ask at RUN_CREATE, and a failing one keeps the version from being activated", async () => {
    const policySetId = await newSet();
    const early = { name: "early", level: "MANDATORY", point: "RUN_CREATE", each: "PLAN", message: "No." };
    const rules = [{ ...early, when: "run.kind == 'DESTROY'" }];
    const of = (kind: string) => ({ point: "RUN_CREATE", context: JSON.stringify({ run: { kind } }) });
    const denies = { name: "denies", given: of("DESTROY"), expect: { failed: [{ policy: "early" }] } };
    const passes = { name: "passes", given: of("DEPLOY"), expect: { passed: ["early"] } };
    const pushed = await push({ policySetId, rules, tests: [denies, passes], state: "ACTIVE" });
    expect(pushed).toMatchObject({ version: { state: "ACTIVE" } });
    const wrong = { ...passes, given: of("DESTROY") };
    expect(await push({ policySetId, rules, tests: [wrong], state: "ACTIVE" })).toMatchObject({
      code: "POLICY_INVALID",
    });
    const perResource = await push({ policySetId, rules: [{ ...rules[0], each: "RESOURCE" }] });
    expect(perResource).toMatchObject({ code: "POLICY_INVALID", problems: [{ file: "early.each" }] });
  });

  it("judges by a version of the set, and by no other", async () => {
    const policySetId = await newSet();
    const { id: versionId } = (await push({ policySetId, rules: [PUBLIC_BUCKET] })).version;
    const document = plan("public-read");
    expect((await tryPolicy(scene.api, { policySetId, versionId, document })).findings).toHaveLength(1);
    const other = await newSet();
    await expect(tryPolicy(scene.api, { policySetId: other, versionId, document })).rejects.toThrow("versionId");
    await expect(tryPolicy(scene.api, { policySetId, document })).rejects.toThrow("rules");
    await expect(tryPolicy(scene.api, { policySetId, versionId, document: "[]" })).rejects.toThrow("document");
    await expect(tryPolicy(scene.api, { policySetId: `pset_${"1".repeat(26)}`, versionId, document })).rejects.toThrow(
      "policy set",
    );
  });
});

it("the source of a version is read as it was pushed, also that of a deleted set", async () => {
  const policySetId = await newSet();
  const { id } = (await push({ policySetId, rules: [PUBLIC_BUCKET] })).version;
  await scene.rows("update policy_set set deleted_at = now() where id = $1", policySetId);
  const [source] = await readPolicySources(scene.server.deps, [id]);
  expect(source).toMatchObject({ language: "CEL", rules: [PUBLIC_BUCKET] });
  await expect(readPolicySources(scene.server.deps, [`pver_${"1".repeat(26)}`])).rejects.toThrow("no version");
});
