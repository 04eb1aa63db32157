/** Overrides of earlier plans: for which later plans they hold, and by whom. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lockForChange } from "../../../src/domain/lifecycle/locked-run.ts";
import { readPlanFindings } from "../../../src/domain/lifecycle/plan-findings.ts";
import { noteHeldOverrides } from "../../../src/domain/policy/held-overrides.ts";
import { ADMIN_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { PolicyOverriders } from "../../../src/model/policy/policy-set.ts";
import type { Api } from "../../support/api.ts";
import { addPolicySet, type AddedSet, type FoundResult, judge } from "../../support/judged-plans.ts";
import { openScene, type Scene } from "../scene.ts";

type Person = Api & { tokenId: string; actorId: string };

let scene: Scene;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  scene = await openScene();
  [ann, bob] = [await scene.person("APPROVER"), await scene.person("APPROVER")];
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const SAME = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true, holds: "SAME_VIOLATIONS" } as const;
let count = 0;
const addSet = (more: Partial<PolicyOverriders> = {}): Promise<AddedSet> =>
  addPolicySet(scene, { name: `held ${++count}`, overriders: { ...SAME, ...more } });

async function override(runId: string, resultIds: readonly string[], by: Api, planVersion = 1): Promise<void> {
  const document = `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) { __typename } }`;
  const input = { runId, planVersion, resultIds, comment: "Known." };
  expect((await by.ask(document, { input })).overridePolicies.__typename).toBe("OverridePoliciesSuccess");
}

/** A run whose failures were overridden by these people. */
async function overridden(set: AddedSet, results: readonly FoundResult[], ...people: Api[]) {
  const approvalRules = [{ name: "review", gate: "PLAN", minimum: 3 }];
  const spot = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules });
  const resultIds = await judge(scene, spot.runId, set, results);
  for (const by of people) await override(spot.runId, resultIds, by);
  return { ...spot, resultIds };
}

/** Plans again, and finds these results about the new plan. */
async function replanned(runId: string, set: AddedSet, results: readonly FoundResult[], by: Api = scene.api) {
  const { version } = (await scene.run(runId, "plan")).plan;
  await scene.send("replanRun", { runId, planVersion: version }, by);
  await (await scene.claim(runId)).plan();
  return judge(scene, runId, set, results);
}

/** Ids of the results that overrides of earlier plans cover. */
function held(runId: string): Promise<string[]> {
  const { deps } = scene.server;
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null) throw new Error("There is no such run.");
    const { findings, held: overrides } = await readPlanFindings(tx, locked, deps.clock());
    await noteHeldOverrides(tx, locked.run, overrides);
    return findings.flatMap(({ id, status }) => (status === "OVERRIDDEN" ? [id] : []));
  });
}

const TAGS = { policy: "tags", message: "No owner." };
const BUCKETS = { policy: "buckets", message: "Public." };

describe("an override with SAME_VIOLATIONS", () => {
  it("holds for a later plan of the run with the same violations, or with some of them", async () => {
    const set = await addSet();
    const { runId } = await overridden(set, [TAGS, BUCKETS], ann);
    const again = await replanned(runId, set, [TAGS, BUCKETS]);
    expect((await held(runId)).toSorted()).toEqual(again.toSorted());
    const less = await replanned(runId, set, [BUCKETS]);
    expect(await held(runId)).toEqual(less);
    const noted = await scene.rows(
      "select plan_version, count(*)::int as count from policy_override where run_id = $1 group by 1 order by 1",
      runId,
    );
    expect(noted.map((row) => [row["plan_version"], row["count"]])).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
  });

  it("holds for none where there is another violation, another message or another address", async () => {
    const set = await addSet();
    const { runId } = await overridden(set, [TAGS], ann);
    for (const results of [[TAGS, BUCKETS], [{ ...TAGS, message: "No team." }], [{ ...TAGS, addresses: ["a.b"] }]]) {
      await replanned(runId, set, results);
      expect(await held(runId)).toEqual([]);
    }
    await replanned(runId, set, [TAGS]);
    expect(await held(runId)).toHaveLength(1);
  });

  it("holds for no plan of which failures were counted and not stored", async () => {
    const set = await addSet();
    const { runId } = await overridden(set, [TAGS], ann);
    await replanned(runId, set, [TAGS]);
    await scene.rows("update policy_evaluation set dropped = 1 where run_id = $1 and plan_version = 2", runId);
    expect(await held(runId)).toEqual([]);
    await scene.rows("update policy_evaluation set dropped = 0 where run_id = $1", runId);
    expect(await held(runId)).toHaveLength(1);
  });

  it("holds for a run of the same revision in the same workspace, and for no other", async () => {
    const set = await addSet();
    const { runId, workspaceId } = await overridden(set, [TAGS], ann);
    await scene.quick("cancelRun", { runId });
    const of = async (place: string): Promise<string> => {
      const id = await scene.createRun(place);
      await (await scene.claim(id)).plan();
      await judge(scene, id, set, [TAGS]);
      return id;
    };
    const next = await of(workspaceId);
    expect(await held(next)).toHaveLength(1);
    await scene.rows("update run set revision = 'other' where id = $1", next);
    expect(await held(next)).toEqual([]);
    await scene.rows("update run set revision = null where id = $1", next);
    expect(await held(next)).toEqual([]);
    const elsewhere = await of(await scene.createWorkspace());
    await scene.rows(
      "update run set revision = (select revision from run where id = $2) where id = $1",
      elsewhere,
      runId,
    );
    expect(await held(elsewhere)).toEqual([]);
  });

  it("does not hold once it was withdrawn, or its run was rejected", async () => {
    const set = await addSet();
    const first = await overridden(set, [TAGS], ann);
    await scene.send("withdrawApproval", { runId: first.runId, gate: "PLAN" }, ann);
    await replanned(first.runId, set, [TAGS]);
    expect(await held(first.runId)).toEqual([]);

    const second = await overridden(set, [TAGS], ann);
    await scene.send("rejectRun", { runId: second.runId, planVersion: 1 }, bob);
    const next = await scene.createRun(second.workspaceId);
    await (await scene.claim(next)).plan();
    await judge(scene, next, set, [TAGS]);
    expect(await held(next)).toEqual([]);
  });

  it("counts the people again: not one who asked for the new plan, and as many as the set wants now", async () => {
    const set = await addSet();
    const { runId } = await overridden(set, [TAGS], ann);
    await replanned(runId, set, [TAGS], ann);
    expect(await held(runId)).toEqual([]);
    await replanned(runId, set, [TAGS], bob);
    expect(await held(runId)).toHaveLength(1);
    const more = JSON.stringify({ ...SAME, minimum: 2 });
    await scene.rows("update policy_set set overriders = $2::jsonb where id = $1", set.setId, more);
    expect(await held(runId)).toEqual([]);
    const other = JSON.stringify({ ...SAME, approverIds: [bob.actorId] });
    await scene.rows("update policy_set set overriders = $2::jsonb where id = $1", set.setId, other);
    expect(await held(runId)).toEqual([]);
  });

  it("needs each person to have overridden every violation", async () => {
    const set = await addSet({ minimum: 2 });
    const { runId } = await overridden(set, [TAGS, BUCKETS], ann, bob);
    await replanned(runId, set, [TAGS, BUCKETS]);
    expect(await held(runId)).toHaveLength(2);
    await scene.rows(
      `delete from policy_override where approval_id in (select id from approval where run_id = $1 and actor_id = $2)
         and fingerprint in (select fingerprint from policy_result where policy = 'tags')`,
      runId,
      bob.actorId,
    );
    expect(await held(runId)).toEqual([]);
  });
});

describe("an override with PLAN", () => {
  it("holds for no other plan", async () => {
    const set = await addSet({ holds: "PLAN" });
    const { runId } = await overridden(set, [TAGS], ann);
    await replanned(runId, set, [TAGS]);
    expect(await held(runId)).toEqual([]);
  });

  it("holds for the APPLY of the plan that was overridden", async () => {
    const set = await addSet({ holds: "PLAN" });
    const approvalRules = [{ name: "review", gate: "PLAN", kinds: ["PLAN"] }];
    const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", approvalRules });
    const planRunId = await scene.plan(workspaceId);
    const resultIds = await judge(scene, planRunId, set, [TAGS]);
    await override(planRunId, resultIds, ann);
    await scene.send("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 }, bob);
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await judge(scene, runId, set, [TAGS]);
    expect(await held(runId)).toHaveLength(1);
    const fresh = await scene.createRun(workspaceId, { kind: "APPLY", planRunId: await another(workspaceId) });
    await judge(scene, fresh, set, [TAGS]);
    expect(await held(fresh)).toEqual([]);
  });
});

/** A PLAN run of another plan that was approved, and not overridden. */
async function another(workspaceId: string): Promise<string> {
  const runId = await scene.plan(workspaceId);
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, bob);
  return runId;
}
