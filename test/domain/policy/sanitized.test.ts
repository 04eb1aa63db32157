/** `sanitized()` compares with sensitive texts of a plan, whose marks differ from run to run. */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { simulationRound } from "../../../src/domain/policy/simulation-round.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { PlanDocument } from "../../../src/runner/plan/plan-document.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { sensitiveTexts } from "../../../src/runner/plan/plan-secrets.ts";
import type { Data } from "../../support/api.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { attach, judgeAll } from "../../support/judged-runs.ts";
import { unpackDocument } from "../../support/plan-documents.ts";
import {
  createPolicySet,
  pushVersion,
  sendPolicy,
  simulate,
  simulationOf,
  tryPolicy,
} from "../../support/policy-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const CANARY = "canary-of-the-plan";
const RULE = {
  name: "default-password",
  level: "MANDATORY",
  when: `resource.after.input == sanitized("${CANARY}")`,
  message: "{{resource.address}} has the default password {{resource.after.input}}.",
} as const;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Plans a run as the runner does, with a sensitive text; gives the document as it is stored. */
async function planWithSecret(workspaceId: string, secret = CANARY) {
  const runId = await scene.createRun(workspaceId, { kind: "PLAN" });
  const job = await scene.claim(runId);
  const change = (name: string) => ({
    address: `terraform_data.${name}`,
    mode: "managed",
    type: "terraform_data",
    name,
    change: {
      actions: ["create"],
      before: null,
      after: { input: secret, size: 7, open: true },
      after_unknown: {},
      after_sensitive: { input: true, size: true, open: true },
    },
  });
  const text = JSON.stringify({ format_version: "1.2", resource_changes: [change("a"), change("b")] });
  const { plan, whole } = parsePlanJson(text);
  const masker = new Masker(6);
  masker.addMarked(sensitiveTexts(plan));
  const key = job.job.documentKey ?? "";
  const options = { masker, key, depth: 200, mostBytes: 1_000_000, secretVariables: [] };
  using document = await PlanDocument.begin(whole, options);
  const { body } = (await document?.finish({ values: {}, lost: [] })) ?? { body: Buffer.alloc(0) };
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  await job.request("PUT", "archive", Buffer.from("archive"));
  expect((await job.request("PUT", "document", body)).status).toBe(204);
  const planned = await job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) });
  expect(planned.status).toBe(200);
  const [row] = await scene.rows("select id from plan where run_id = $1", runId);
  const shown = unpackDocument(body);
  const inputs = (shown.plan["resource_changes"] as Data[]).map(({ change: { after } }) => after);
  return { runId, planId: String(row?.["id"]), key, inputs, text: JSON.stringify(shown) };
}

async function place() {
  const label = `sanitized:${randomUUID().slice(0, 8)}`;
  const workspaceId = await scene.createWorkspace({ labels: [label] });
  const policySetId: string = (await createPolicySet(scene.api, { selector: { labels: [label] } })).policySet.id;
  return { workspaceId, policySetId };
}

it("marks are equal within a run and differ between runs; numbers and booleans are null", async () => {
  const { workspaceId } = await place();
  const [first, second] = [await planWithSecret(workspaceId), await planWithSecret(workspaceId)];
  const mark = first.inputs[0]?.input;
  expect(mark).toMatch(/^hp:[0-9a-f]{16}$/);
  expect(first.inputs).toEqual([
    { input: mark, size: null, open: null },
    { input: mark, size: null, open: null },
  ]);
  expect(second.inputs[0]?.input).not.toBe(mark);
  for (const { text } of [first, second]) expect(text).not.toContain(CANARY);
  // The key is neither stored nor a part of what is.
  const [stored] = await scene.rows("select * from plan_document where plan_id = $1", first.planId);
  expect(JSON.stringify(stored)).not.toContain(first.key);
});

it("a simulation compares with the key of each plan's run", async () => {
  const { workspaceId, policySetId } = await place();
  const other = await planWithSecret(workspaceId, "another-secret-text");
  const runs = [await planWithSecret(workspaceId), await planWithSecret(workspaceId)];
  const { simulation } = await simulate(scene.api, { policySetId, rules: [RULE] });
  await simulationRound(scene.server.deps, new AbortController().signal, "one");
  const plans: Data[] = (await simulationOf(scene.api, simulation.id)).results.edges.map(({ node }: Data) => node);
  const found = plans.map(({ run, after, findings }) => [run.id, after, findings.length]);
  expect(found).toEqual([
    [runs[1]?.runId, "FAILED", 2],
    [runs[0]?.runId, "FAILED", 2],
    [other.runId, "PASSED", 0],
  ]);
  // Beside the rule itself, which its author wrote.
  expect(JSON.stringify(plans)).not.toContain(CANARY);
});

it("a run is judged with its key", async () => {
  const { workspaceId } = await place();
  const when = `plan.resource_changes.all(r, r.change.after.input == sanitized("${CANARY}"))`;
  const message = "The password is {{plan.resource_changes[0].change.after.input}}.";
  await attach(scene, workspaceId, [{ name: RULE.name, level: RULE.level, when, message }]);
  const { runId } = await planWithSecret(workspaceId);
  await judgeAll(scene);
  const results = await scene.rows(
    `select r.message, r.status from policy_result r join policy_evaluation e on e.id = r.evaluation_id where e.run_id = $1`,
    runId,
  );
  expect(results).toMatchObject([
    { status: "FAILED", message: expect.stringMatching(/^The password is hp:[0-9a-f]{16}\.$/) },
  ]);
  expect(JSON.stringify(results)).not.toContain(CANARY);
});

it("a trial on a stored plan has no key, so that its reader cannot try words", async () => {
  const { workspaceId, policySetId } = await place();
  const { planId } = await planWithSecret(workspaceId);
  const found = await tryPolicy(scene.api, { policySetId, rules: [RULE], planId });
  expect(found).toMatchObject({
    findings: [],
    passed: 0,
    errors: [{ policy: RULE.name, message: expect.stringContaining("sanitized() needs the key of a run") }],
  });
});

it("a document that is written by hand has the key of trials, and a fixture that of its run", async () => {
  const { workspaceId, policySetId } = await place();
  const input = `hp:${createHmac("sha256", "trial").update(CANARY).digest("hex").slice(0, 16)}`;
  const change = { actions: ["create"], before: null, after: { input } };
  const resource = { address: "terraform_data.a", mode: "managed", type: "terraform_data", name: "a", change };
  const document = JSON.stringify({ plan: { format_version: "1.2", resource_changes: [resource] }, custom: {} });
  const tried = await tryPolicy(scene.api, { policySetId, rules: [RULE], document });
  expect(tried).toMatchObject({ errors: [], findings: [{ addresses: ["terraform_data.a"] }] });

  const { planId } = await planWithSecret(workspaceId);
  const { fixture } = await sendPolicy(
    scene.api,
    "createPolicyFixture",
    { policySetId, planId, name: "f" },
    "fixture { id }",
  );
  const tests = [
    { name: "written", given: { document }, expect: { failed: [{ policy: RULE.name }], passed: [] } },
    { name: "of a run", given: { fixtureId: fixture.id }, expect: { failed: [{ policy: RULE.name }], passed: [] } },
  ];
  const pushed = await pushVersion(scene.api, { policySetId, rules: [RULE], tests, state: "ACTIVE" });
  expect(pushed.version).toMatchObject({ state: "ACTIVE" });
});
