/** Simulations over stored plans, fixtures of plans, and trials on them. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { simulationRound } from "../../../src/domain/policy/simulation-round.ts";
import { createEvaluator } from "../../../src/evaluator/evaluator.ts";
import type { Evaluator } from "../../../src/model/policy/evaluator.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { attach, judgeAll, planned } from "../../support/judged-runs.ts";
import { addMachine } from "../../support/machine.ts";
import {
  bucketPlan,
  createPolicySet,
  planWith,
  pushVersion,
  sendPolicy,
  simulate,
  simulationOf,
  stopSimulation,
  tryPolicy,
} from "../../support/policy-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

const never = new AbortController().signal;
const PUBLIC_BUCKET = {
  name: "no-public-bucket",
  level: "MANDATORY",
  types: ["aws_s3_bucket"],
  when: 'resource.after.acl == "public-read"',
  message: "The bucket {{resource.address}} of {{workspace.name}} is public.",
};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** A set for one workspace of its own, with a version. */
async function place(
  rules: object[] = [PUBLIC_BUCKET],
): Promise<{ workspaceId: string; policySetId: string; versionId: string }> {
  const label = `sim:${randomUUID().slice(0, 8)}`;
  const workspaceId = await scene.createWorkspace({ labels: [label] });
  const policySetId = (await createPolicySet(scene.api, { selector: { labels: [label] } })).policySet.id;
  return { workspaceId, policySetId, versionId: (await pushVersion(scene.api, { policySetId, rules })).version.id };
}

const work = (by = "one"): Promise<void> => simulationRound(scene.server.deps, never, by);
const plansOf = async (id: string): Promise<Data[]> =>
  (await simulationOf(scene.api, id)).results.edges.map(({ node }: Data) => node);

async function judgedBefore(versionId: string, runId: string, status: string): Promise<void> {
  await scene.rows(
    `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, created_at, finished_at)
      values ($1, $2, 'PLAN', 1, $3, false, $4, now(), now())`,
    scene.server.deps.newId("policyEvaluation"),
    runId,
    versionId,
    status,
  );
}

it("compares what was judged then with what is judged now, the newest plans first, and changes nothing", async () => {
  const { workspaceId, policySetId, versionId } = await place();
  const runs = [];
  for (const acl of ["public-read", "private", "public-read", "private"]) {
    runs.push((await planWith(scene, workspaceId, bucketPlan(acl))).runId);
  }
  const gone = await planWith(scene, workspaceId, null);
  await judgedBefore(versionId, runs[1] ?? "", "FAILED");
  await judgedBefore(versionId, runs[2] ?? "", "FAILED");
  const before = await scene.rows("select count(*)::int as events, max(version) as newest from run_event");

  const { simulation } = await simulate(scene.api, { policySetId, versionId });
  expect(simulation).toMatchObject({
    state: "RUNNING",
    total: 5,
    done: 0,
    createdBy: { id: ADMIN_ACTOR_ID },
    policySet: { id: policySetId },
    version: { id: versionId },
  });
  await work();
  expect(await simulationOf(scene.api, simulation.id)).toMatchObject({
    state: "FINISHED",
    total: 5,
    done: 5,
    newlyDenied: 1,
    newlyPassing: 1,
    errors: 0,
    unknown: 1,
    finishedAt: expect.any(String),
  });
  const plans = await plansOf(simulation.id);
  expect(plans.map(({ run, before: then, after, outcome }) => [run.id, then, after, outcome])).toEqual([
    [gone.runId, null, "UNKNOWN", "UNKNOWN"],
    [runs[3], null, "PASSED", "SAME"],
    [runs[2], "FAILED", "FAILED", "SAME"],
    [runs[1], "FAILED", "PASSED", "NEWLY_PASSING"],
    [runs[0], null, "FAILED", "NEWLY_DENIED"],
  ]);
  const [{ name }] = (await scene.rows("select name from workspace where id = $1", workspaceId)) as [{ name: string }];
  expect(plans[4]?.["findings"]).toEqual([
    {
      policy: "no-public-bucket",
      rule: "no-public-bucket",
      level: "MANDATORY",
      message: `The bucket aws_s3_bucket.logs of ${name} is public.`,
      addresses: ["aws_s3_bucket.logs"],
      demandsApprovals: false,
    },
  ]);
  expect(await scene.rows("select count(*)::int as events, max(version) as newest from run_event")).toEqual(before);
});

it("takes rules that are no version, the last plans, and those that the filter and the selector select", async () => {
  const { workspaceId, policySetId } = await place();
  const first = await planWith(scene, workspaceId, bucketPlan("private"));
  const last = await planWith(scene, workspaceId, bucketPlan("private"));
  await planWith(scene, await scene.createWorkspace(), bucketPlan("private"));
  const rules = [{ ...PUBLIC_BUCKET, when: "resource.after.missing.deeper == 1" }];
  const { simulation } = await simulate(scene.api, { policySetId, rules, last: 1 });
  await work();
  const [plan, ...others] = await plansOf(simulation.id);
  expect(plan).toMatchObject({ run: { id: last.runId }, after: "ERRORED", outcome: "ERROR" });
  expect(plan?.["error"]).toContain("no-public-bucket");
  expect(others).toEqual([]);
  const all = (await simulate(scene.api, { policySetId, rules })).simulation;
  await work();
  expect((await plansOf(all.id)).map(({ run }) => run.id)).toEqual([last.runId, first.runId]);
  const none = await simulate(scene.api, { policySetId, rules, filter: { kinds: ["DESTROY"] } });
  expect(none.simulation).toMatchObject({ state: "FINISHED", total: 0 });
});

it("does not hold up a run: its judgement takes the process of the simulation, even if there is no other", async () => {
  const digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
  const nested = (depth: number): string => (depth === 0 ? "true" : `${digits}.all(v${depth}, ${nested(depth - 1)})`);
  const { workspaceId, policySetId } = await place();
  await planWith(scene, workspaceId, bucketPlan("private"));
  const rules = [{ ...PUBLIC_BUCKET, when: nested(9) }];
  const { simulation } = await simulate(scene.api, { policySetId, rules });

  const evaluator = createEvaluator({ processes: 1 });
  const begun = Promise.withResolvers<void>();
  const watched: Evaluator = {
    ...evaluator,
    judge(source, input, limits, options) {
      if (options?.isBackground === true) begun.resolve();
      return evaluator.judge(source, input, limits, options);
    },
  };
  const deps = { ...scene.server.deps, evaluator: watched };
  const stop = new AbortController();
  const working = simulationRound(deps, stop.signal, "slow").catch(() => undefined);
  await begun.promise;

  const judged = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
  await attach(scene, judged, [{ name: "pass", when: "false" }]);
  const { runId } = await planned(scene, judged);
  expect((await scene.run(runId, "status")).status).toBe("POLICY_CHECKING");
  await judgeAll({ server: { deps } });
  expect((await scene.run(runId, "status")).status).toBe("CONFIRMED");
  expect(await simulationOf(scene.api, simulation.id)).toMatchObject({ state: "RUNNING", done: 0 });
  stop.abort(new Error("enough"));
  await working;
  await stopSimulation(scene.api, simulation.id);
  await evaluator.close();
});

it("is stopped between plans; what was judged stays", async () => {
  const { workspaceId, policySetId, versionId } = await place();
  await planWith(scene, workspaceId, bucketPlan("private"));
  const { simulation } = await simulate(scene.api, { policySetId, versionId });
  expect((await stopSimulation(scene.api, simulation.id)).simulation.state).toBe("STOPPED");
  await work();
  expect(await simulationOf(scene.api, simulation.id)).toMatchObject({ state: "STOPPED", total: 1, done: 0 });
  expect((await stopSimulation(scene.api, simulation.id)).simulation.state).toBe("STOPPED");
});

it("a server that is killed is replaced after its lease, and nothing is stored twice", async () => {
  const { workspaceId, policySetId, versionId } = await place();
  for (let plans = 0; plans < 3; plans++) await planWith(scene, workspaceId, bucketPlan("public-read"));
  const { id } = (await simulate(scene.api, { policySetId, versionId })).simulation;
  // The first server took it, judged one plan, and ended.
  const taken =
    "update policy_simulation set lease_id = 'killed', lease_until = now() + interval '1 minute' where id = $1";
  await scene.rows(taken, id);
  await scene.rows(
    "update policy_simulation_item set after = 'PASSED', done_at = now() where simulation_id = $1 and position = 1",
    id,
  );
  await work("two");
  expect(await simulationOf(scene.api, id)).toMatchObject({ state: "RUNNING", done: 1 });
  await scene.rows("update policy_simulation set lease_until = now() - interval '1 second' where id = $1", id);
  await work("two");
  const found = await simulationOf(scene.api, id);
  expect(found).toMatchObject({ state: "FINISHED", done: 3, newlyDenied: 2 });
  expect(found.results.edges[0].node.after).toBe("PASSED");
});

it("shows and counts plans of runs that the caller may read, and takes those that it may approve", async () => {
  const { workspaceId, policySetId, versionId } = await place();
  await planWith(scene, workspaceId, bucketPlan("public-read"));
  const { id } = (await simulate(scene.api, { policySetId, versionId })).simulation;
  await work();
  const project = await sendPolicy(
    scene.api,
    "createProject",
    { organizationId: DEFAULT_ORGANIZATION_ID, name: `p-${randomUUID()}`, isolated: true },
    "project { id }",
  );
  const reader = await addMachine(scene.server.url, scene.api, ["READER", DEFAULT_ORGANIZATION_ID]);
  expect(await simulationOf(reader, id)).toMatchObject({ total: 1, newlyDenied: 1 });
  await scene.rows("update workspace set project_id = $1 where id = $2", project.project.id, workspaceId);
  await scene.rows("update run set project_id = $1 where workspace_id = $2", project.project.id, workspaceId);
  expect(await simulationOf(reader, id)).toMatchObject({ total: 0, done: 0, newlyDenied: 0, results: { edges: [] } });
  const local = await addMachine(scene.server.url, scene.api, ["ADMIN", DEFAULT_ORGANIZATION_ID]);
  expect((await simulate(local, { policySetId, versionId })).simulation.total).toBe(0);
});

describe("bad input is refused by its field:", () => {
  it.each<[string, object, string]>(
    walk(
      [
        ["neither version nor rules", { versionId: null }, "rules"],
        ["both", { rules: [PUBLIC_BUCKET] }, "rules"],
        ["no plans", { last: 0 }, "last"],
        ["501 plans", { last: LIMITS.simulatedPlans + 1 }, "last"],
        ["another organization", { filter: { organizationId: `org_${"3".repeat(26)}` } }, "filter.organizationId"],
        ["a version of another set", { versionId: `pver_${"3".repeat(26)}` }, "versionId"],
      ],
      2,
    ),
  )("%s", async (_name, input, path) => {
    const { policySetId, versionId } = await place();
    const refused = await simulate(scene.api, { policySetId, versionId, ...input });
    expect(refused.issues.map((issue: Data) => issue.path.join("."))).toEqual([path]);
  });

  it("rules that do not compile, and more simulations than the limit", async () => {
    const { workspaceId, policySetId, versionId } = await place();
    const broken = await simulate(scene.api, { policySetId, rules: [{ ...PUBLIC_BUCKET, when: "1 +" }] });
    expect(broken).toMatchObject({ code: "POLICY_INVALID", problems: [{ file: "no-public-bucket.when" }] });
    await planWith(scene, workspaceId, bucketPlan("private"));
    const started = [];
    for (let count = 0; count < LIMITS.simulationsAtOnce; count++) {
      started.push((await simulate(scene.api, { policySetId, versionId })).simulation.id);
    }
    const refused = await simulate(scene.api, { policySetId, versionId });
    expect(refused.issues[0].message).toMatch(/simulations that run/);
    for (const id of started) await stopSimulation(scene.api, id);
  });
});

describe("a fixture", () => {
  const create = (input: object, api = scene.api): Promise<Data> =>
    sendPolicy(api, "createPolicyFixture", input, "fixture { id name planId createdBy { id } }");

  it("copies the document of a plan with what is known beside it, for tests", async () => {
    const { workspaceId, policySetId } = await place();
    const { planId } = await planWith(scene, workspaceId, bucketPlan("public-read"));
    const { fixture } = await create({ policySetId, planId, name: "a public bucket" });
    expect(fixture).toMatchObject({ name: "a public bucket", planId, createdBy: { id: ADMIN_ACTOR_ID } });
    expect(await create({ policySetId, planId, name: "a public bucket" })).toMatchObject({ code: "NAME_TAKEN" });
    // Retention removes the document of the plan, and not the copy.
    await scene.rows("update plan_document set blob_id = null where plan_id = $1", planId);
    const rules = [
      { ...PUBLIC_BUCKET, when: `${PUBLIC_BUCKET.when} && workspace.id == "${workspaceId}" && run.kind == "PLAN"` },
    ];
    const expected = { failed: [{ policy: "no-public-bucket", addresses: ["aws_s3_bucket.logs"] }] };
    const tests = [{ name: "a public bucket", given: { fixtureId: fixture.id }, expect: expected }];
    const pushed = await pushVersion(scene.api, { policySetId, rules, tests, state: "ACTIVE" });
    expect(pushed.version.state).toBe("ACTIVE");
    const other = await place();
    const foreign = await pushVersion(scene.api, { policySetId: other.policySetId, rules, tests });
    expect(foreign.issues[0].path).toEqual(["tests", "0", "given", "fixtureId"]);

    expect(await create({ policySetId, planId, name: "again" })).toMatchObject({ code: "INVALID_INPUT" });
    const deleted = await sendPolicy(scene.api, "deletePolicyFixture", { fixtureId: fixture.id }, "deletedId");
    expect(deleted.deletedId).toBe(fixture.id);
    expect(await scene.rows("select id from policy_fixture where set_id = $1", policySetId)).toEqual([]);
  });

  it("and a trial of a plan take the right to approve the plan: one error for hidden, absent and removed", async () => {
    const { workspaceId, policySetId } = await place();
    const { planId } = await planWith(scene, workspaceId, bucketPlan("public-read"));
    const bare = await planWith(scene, workspaceId, null);
    const trial = { policySetId, rules: [PUBLIC_BUCKET], planId };
    expect((await tryPolicy(scene.api, trial)).findings).toHaveLength(1);
    const reader = await addMachine(scene.server.url, scene.api, ["READER", DEFAULT_ORGANIZATION_ID]);
    const refusals = [
      await tryPolicy(reader, trial).catch(String),
      await tryPolicy(scene.api, { ...trial, planId: `plan_${"3".repeat(26)}` }).catch(String),
      await tryPolicy(scene.api, { ...trial, planId: bare.planId }).catch(String),
    ].map((text) => /planId: [^"\\]*/.exec(String(text))?.[0]);
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/planId: must be the id of a plan/);
    const absent = await create({ policySetId, planId: `plan_${"3".repeat(26)}`, name: "x" });
    expect(absent.issues[0].path).toEqual(["planId"]);
    const given = await tryPolicy(scene.api, { ...trial, context: JSON.stringify({ workspace: { name: "another" } }) });
    expect(given.findings[0].message).toContain("of another is public");
  });
});
