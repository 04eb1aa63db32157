/** Overrides of failures of policies, through the API: who may, what they cover, and for how long they hold. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { PolicyOverriders } from "../../../src/model/policy/policy-set.ts";
import type { Api, Data } from "../../support/api.ts";
import { addPolicySet, type AddedSet, type FoundResult, judge } from "../../support/judged-plans.ts";
import { EVERY_PART, openScene, type Scene } from "../scene.ts";

type Person = Api & { tokenId: string; actorId: string };

let scene: Scene;
let ann: Person;
let bob: Person;
let eve: Person;
beforeAll(async () => {
  scene = await openScene();
  [ann, bob, eve] = [await scene.person("APPROVER"), await scene.person("APPROVER"), await scene.person("APPROVER")];
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
let count = 0;

const DOCUMENT = `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) { __typename
  ... on OverridePoliciesSuccess { run { status version approvals { decision stage comment counts actor { id } } } }
  ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;

async function override(runId: string, resultIds: readonly string[], by: Api, more: object = {}): Promise<Data> {
  const input = { runId, planVersion: 1, resultIds, comment: "Known, and small.", ...more };
  return (await by.ask(DOCUMENT, { input })).overridePolicies;
}

async function needs(runId: string, by: Api = scene.api): Promise<Data[]> {
  const query = `query ($id: ID!) { run(id: $id) { approvalRequirements { gate stage source reason minimum missing
    satisfied current commentRequired excludeRequester viewerCanApprove viewerReason given { actor { id } } eligibleActors { id } } } }`;
  return (await by.ask(query, { id: runId })).run.approvalRequirements;
}
const status = async (runId: string): Promise<string> => (await scene.run(runId, "status")).status;
const approve = (runId: string, by: Api, input: object = {}): Promise<Data> =>
  scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, ...input }, by);
const problems = ({ issues }: Data): string[][] => issues.map(({ path, message }: Data) => [path.join("."), message]);

function addSet(overriders: Partial<PolicyOverriders> = {}): Promise<AddedSet> {
  const anyone = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true, holds: "PLAN" } as const;
  return addPolicySet(scene, { name: `storage ${++count}`, overriders: { ...anyone, ...overriders } });
}

/** A run at its plan gate about whose plan a set found these results. */
async function judged(
  results: readonly FoundResult[],
  { overriders, workspace = {} }: { overriders?: Partial<PolicyOverriders>; workspace?: object } = {},
) {
  const set = await addSet(overriders);
  const { runId, workspaceId, job } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", workspace);
  const resultIds = await judge(scene, runId, set, results);
  return { set, runId, workspaceId, job, resultIds, stage: `Override: ${set.name}` };
}

/** The workspace asks for no approval of its own; a rule brought the run to the gate. */
const GATED = { ...EAGER, approvalRules: [{ name: "review", gate: "PLAN", when: { triggers: ["API", "MANUAL"] } }] };

describe("a failure at the level SOFT_MANDATORY", () => {
  it("is a stage of the plan gate that says what failed, and who may override", async () => {
    const { runId, stage, set } = await judged([{ message: "No owner." }, { policy: "buckets", message: "Public." }], {
      overriders: { approverIds: [ann.actorId] },
    });
    const found = (await needs(runId, ann)).find((each) => each.source === "OVERRIDE");
    expect(found).toMatchObject({
      gate: "PLAN",
      stage,
      reason: `"${set.name}" has failures that must be overridden. tags: No owner. buckets: Public.`,
      minimum: 1,
      missing: 1,
      satisfied: false,
      current: true,
      commentRequired: true,
      excludeRequester: true,
      viewerCanApprove: true,
      viewerReason: null,
      eligibleActors: [{ id: ann.actorId }],
    });
    expect((await needs(runId, bob)).find((each) => each.stage === stage)).toMatchObject({
      viewerCanApprove: false,
      viewerReason: expect.stringContaining(`The stage "${stage}" counts only its named approvers`),
    });
  });

  it("does not stand in for the approval of the plan that the workspace asks for", async () => {
    const { runId, resultIds, stage } = await judged([{}]);
    expect((await needs(runId)).map((each) => [each.stage, each.current])).toEqual([
      ["Approval of the plan", true],
      [stage, true],
      [null, false],
    ]);
    const overridden = await override(runId, resultIds, ann);
    expect(overridden.run).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      approvals: [
        { decision: "OVERRIDDEN", stage, comment: "Known, and small.", counts: true, actor: { id: ann.actorId } },
      ],
    });
    expect((await approve(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("lets the run go on once all stages have their quorum, in whatever order", async () => {
    const first = await judged([{}], { workspace: GATED });
    expect((await approve(first.runId, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await override(first.runId, first.resultIds, bob)).run.status).toBe("CONFIRMED");
    const second = await judged([{}], { workspace: GATED });
    expect((await override(second.runId, second.resultIds, bob)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await approve(second.runId, ann)).run.status).toBe("CONFIRMED");
  });
});

describe("approving and overriding", () => {
  it("are two things: an approval passes no override, and an override no approval", async () => {
    const { runId, resultIds, stage } = await judged([{}], { workspace: GATED });
    await approve(runId, ann);
    const wrong = await approve(runId, bob, { stage });
    expect(wrong).toMatchObject({ code: "RUN_STATE_CONFLICT", message: expect.stringContaining("overridePolicies") });
    const unnamed = await approve(runId, bob);
    expect(unnamed).toMatchObject({ code: "RUN_STATE_CONFLICT", message: expect.stringContaining(stage) });
    expect(await status(runId)).toBe("AWAITING_PLAN_APPROVAL");
    expect((await override(runId, resultIds, bob)).run.status).toBe("CONFIRMED");

    const other = await judged([{}], { workspace: GATED });
    await override(other.runId, other.resultIds, ann);
    expect((await needs(other.runId)).map((each) => [each.stage, each.missing])).toEqual([
      ["review", 1],
      [other.stage, 0],
    ]);
  });

  it("do not mix where a rule takes the name of the stage", async () => {
    const { runId, workspaceId, stage } = await judged([{}], { workspace: GATED });
    const rule = { name: stage, gate: "PLAN" };
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [rule] });
    expect((await approve(runId, ann, { stage })).run.status).toBe("AWAITING_PLAN_APPROVAL");
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [] });
    expect((await needs(runId)).map((each) => [each.stage, each.missing])).toEqual([
      ["review", 1],
      [stage, 1],
    ]);
  });

  it("is withdrawn as an approval is, while the run waits", async () => {
    const { runId, resultIds, stage } = await judged([{}], { workspace: GATED });
    await override(runId, resultIds, ann);
    const withdrawn = await scene.send("withdrawApproval", { runId, gate: "PLAN" }, ann, EVERY_PART);
    expect(withdrawn.run.approvals).toMatchObject([
      { decision: "OVERRIDDEN", stage, counts: false },
      { decision: "WITHDRAWN", stage, counts: false },
    ]);
    expect((await needs(runId)).find((each) => each.stage === stage)).toMatchObject({ missing: 1, given: [] });
    expect((await override(runId, resultIds, ann)).__typename).toBe("OverridePoliciesSuccess");
    expect((await needs(runId)).find((each) => each.stage === stage)).toMatchObject({ missing: 0 });
  });
});

describe("the people who override", () => {
  it("are those whom the set names, and enough of them", async () => {
    const { runId, resultIds } = await judged([{}], {
      workspace: EAGER_REVIEWED,
      overriders: { approverIds: [ann.actorId, bob.actorId], minimum: 2 },
    });
    await approve(runId, eve);
    expect(await override(runId, resultIds, eve)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("named approvers"),
    });
    expect((await override(runId, resultIds, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    const again = await override(runId, resultIds, ann);
    expect(again.run.approvals).toHaveLength(2);
    expect((await override(runId, resultIds, bob)).run.status).toBe("CONFIRMED");
  });

  it("count at once, in whatever order, over two connections", async () => {
    for (let round = 0; round < 4; round++) {
      const { runId, resultIds } = await judged([{}], { workspace: EAGER_REVIEWED, overriders: { minimum: 2 } });
      await approve(runId, eve);
      const answers = await Promise.all([override(runId, resultIds, ann), override(runId, resultIds, bob)]);
      expect(answers.map(({ __typename }) => __typename)).toEqual(Array(2).fill("OverridePoliciesSuccess"));
      expect(await scene.run(runId, "status", "approvals")).toMatchObject({
        status: "CONFIRMED",
        approvals: [{}, {}, { counts: true }],
      });
    }
  });

  it("are not the requester, no machine, and no token alone where people are told apart", async () => {
    const { runId, resultIds } = await judged([{}]);
    expect(await override(runId, resultIds, scene.api)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("excludeRequester"),
    });
    const machine = await scene.login("APPROVER", { actor: "MACHINE" });
    expect(await override(runId, resultIds, machine)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("counts people, not machine users"),
    });
    const token = await scene.login("APPROVER", { actor: "USER" });
    expect(await override(runId, resultIds, token)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("a token alone does not show which person you are"),
    });
    expect(await override(runId, resultIds, await scene.login("WRITER"))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("PLAN_APPROVE"),
    });
    expect((await scene.run(runId, "approvals")).approvals).toEqual([]);
  });

  it("must be present where the gate asks for it", async () => {
    const approvalRules = [{ name: "review", gate: "PLAN", requirePresence: true }];
    const { runId, resultIds } = await judged([{}], { workspace: { ...EAGER, approvalRules } });
    expect(await override(runId, resultIds, ann)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
  });
});

const EAGER_REVIEWED = { ...EAGER, approvalRules: [{ name: "review", gate: "PLAN" }] };

describe("a run that waits for overrides", () => {
  const action = async (runId: string, by: Api): Promise<Data> => {
    const query = "query ($id: ID!) { run(id: $id) { requiredAction actions { action allowed code reason } } }";
    const { run } = await by.ask(query, { id: runId });
    const found = run.actions.find((one: Data) => one.action === "OVERRIDE_POLICIES");
    return { next: run.requiredAction, allowed: found.allowed, code: found.code, reason: found.reason };
  };
  /** As the judgement of a plan notes it. */
  const asking = async (overriders: Partial<PolicyOverriders>, workspace: object = EAGER_REVIEWED) => {
    const found = await judged([{}], { workspace, overriders });
    await scene.rows("update run set policy_asks = true where id = $1", found.runId);
    return found;
  };

  it("offers it to those whom the command would take, and says why not to others", async () => {
    const { runId, resultIds, stage } = await asking({ approverIds: [ann.actorId, bob.actorId], minimum: 2 });
    const accepted = { next: "OVERRIDE_POLICY", allowed: true, code: null, reason: null };
    expect(await action(runId, ann)).toEqual(accepted);
    expect(await action(runId, eve)).toMatchObject({
      next: "OVERRIDE_POLICY",
      allowed: false,
      code: "FORBIDDEN",
      reason: expect.stringContaining(`The stage "${stage}" counts only its named approvers`),
    });
    expect(await action(runId, await scene.login("WRITER"))).toMatchObject({
      code: "FORBIDDEN",
      reason: expect.stringContaining("PLAN_APPROVE"),
    });
    await override(runId, resultIds, ann);
    // A repetition is accepted and adds nothing.
    expect(await action(runId, ann)).toEqual(accepted);
    expect(await action(runId, bob)).toEqual(accepted);
    await override(runId, resultIds, bob);
    const over = { allowed: false, code: "RUN_STATE_CONFLICT", reason: "No failures wait for an override." };
    expect(await action(runId, bob)).toEqual({ next: "REVIEW_PLAN", ...over });
    await scene.send("withdrawApproval", { runId, gate: "PLAN" }, ann);
    expect(await action(runId, ann)).toEqual(accepted);
    await override(runId, resultIds, ann);
    expect((await approve(runId, eve)).run.status).toBe("CONFIRMED");
    const later = { code: "RUN_STATE_CONFLICT", reason: expect.stringContaining("it does not wait at its plan gate.") };
    expect(await action(runId, ann)).toMatchObject({ next: "WAIT", allowed: false, ...later });
  });

  it("is offered if one of several sets may be overridden, and refused for the first reason if none may", async () => {
    const { runId } = await asking({ approverIds: [ann.actorId] });
    await judge(scene, runId, await addSet({ approverIds: [bob.actorId] }), [{}]);
    expect(await action(runId, ann)).toMatchObject({ allowed: true });
    expect(await action(runId, bob)).toMatchObject({ allowed: true });
    expect(await action(runId, eve)).toMatchObject({ allowed: false, code: "FORBIDDEN" });
  });

  it("asks for a sign-in where the gate does", async () => {
    const approvalRules = [{ name: "review", gate: "PLAN", requirePresence: true }];
    const { runId } = await asking({}, { ...EAGER, approvalRules });
    expect(await action(runId, ann)).toMatchObject({ allowed: false, code: "REAUTHENTICATION_REQUIRED" });
  });

  it("offers nothing to a run without failures", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(await action(runId, ann)).toMatchObject({ next: "REVIEW_PLAN", code: "RUN_STATE_CONFLICT" });
  });
});

const evaluationOf = async (runId: string): Promise<string> => {
  const [row] = await scene.rows("select id from policy_evaluation where run_id = $1", runId);
  return String(row?.["id"]);
};

describe("an override of an evaluation", () => {
  it("is of all its failures, more than one command can name", async () => {
    const { runId, stage } = await judged([{}], { workspace: EAGER_REVIEWED });
    const evaluationId = await evaluationOf(runId);
    await scene.rows(
      `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message, addresses, fingerprint)
       select 'pres_' || n, $1, n, 'tags', 'tags', 'SOFT_MANDATORY', true, 'FAILED', 'No owner: ' || n, '{}', sha256(n::text::bytea)
       from generate_series(1, 6000) n`,
      evaluationId,
    );
    const partial = await override(runId, ["pres_1"], ann);
    expect(problems(partial)).toEqual([["resultIds", expect.stringContaining("and 5999 more is missing.")]]);
    const done = await override(runId, [], ann, { evaluationIds: [evaluationId] });
    expect(done.run.approvals).toMatchObject([{ decision: "OVERRIDDEN", stage }]);
    expect(await scene.rows("select count(*)::int as n from policy_override where run_id = $1", runId)).toEqual([
      { n: 6001 },
    ]);
    expect((await approve(runId, bob)).run.status).toBe("CONFIRMED");
  });

  it("stands beside results of another set", async () => {
    const { runId } = await judged([{}, { policy: "buckets" }]);
    const evaluationId = await evaluationOf(runId);
    const resultIds = await judge(scene, runId, await addSet(), [{}]);
    const { run } = await override(runId, resultIds, ann, { evaluationIds: [evaluationId] });
    expect(run.approvals.map(({ decision }: Data) => decision)).toEqual(["OVERRIDDEN", "OVERRIDDEN"]);
  });
});

describe("a bad override", () => {
  it("names results that are none of this plan, not failed, or overridden by no one", async () => {
    const approvers = { name: "dba", approverIds: [], teamIds: [], minimum: 1, excludeRequester: false };
    const { runId, resultIds } = await judged([
      {},
      { policy: "buckets", level: "MANDATORY" },
      { policy: "buckets", level: "ADVISORY" },
      { policy: "buckets", approvers },
    ]);
    const other = await judged([{}]);
    const [soft = "", mandatory = "", advisory = "", demand = ""] = resultIds;
    expect(problems(await override(runId, [mandatory], ann))).toEqual([
      ["resultIds.0", expect.stringContaining("MANDATORY")],
    ]);
    expect(problems(await override(runId, [soft, advisory, demand], ann))).toEqual([
      ["resultIds.1", expect.stringContaining("ADVISORY")],
      ["resultIds.2", expect.stringContaining('Approve the stage "dba".')],
    ]);
    const foreign = [["resultIds.0", "must be a failed result of this plan."]];
    expect(problems(await override(runId, [other.resultIds[0] ?? "", soft], ann))).toEqual(foreign);
    expect(problems(await override(runId, ["pres_none", soft], ann))).toEqual(foreign);
    expect(problems(await override(runId, [], ann))).toEqual([
      ["resultIds", "must name results, unless `evaluationIds` names evaluations."],
    ]);
    const many = Array.from({ length: 5001 }, (_, index) => `pres_${index}`);
    expect(problems(await override(runId, many, ann))).toEqual([
      ["resultIds", expect.stringContaining("at most 5000 results. Name their evaluations in `evaluationIds` instead")],
    ]);
    expect(problems(await override(runId, [soft, soft], ann))).toEqual([
      ["resultIds", expect.stringContaining("once")],
    ]);
    expect(problems(await override(runId, [soft], ann, { comment: " " }))).toEqual([
      ["comment", expect.stringContaining("explain why")],
    ]);
    expect((await scene.run(runId, "approvals")).approvals).toEqual([]);
  });

  it("names evaluations that are none of this plan, too many, one twice, or without failures that wait", async () => {
    const { runId, resultIds } = await judged([{}]);
    const other = await judged([{}]);
    const [own, foreign] = [await evaluationOf(runId), await evaluationOf(other.runId)];
    const words = "must be an evaluation of this plan with failures that wait for an override.";
    const by = (evaluationIds: string[], ids: string[] = []) => override(runId, ids, ann, { evaluationIds });
    expect(problems(await by([own, foreign, "peval_none"]))).toEqual([
      ["evaluationIds.1", words],
      ["evaluationIds.2", words],
    ]);
    expect(problems(await by([own, own]))).toEqual([["evaluationIds", "must name each evaluation once."]]);
    const many = Array.from({ length: 101 }, (_, index) => `peval_${index}`);
    expect(problems(await by(many))).toEqual([["evaluationIds", "must name at most 100 evaluations."]]);
    await scene.rows("update policy_result set level = 'ADVISORY' where id = $1", resultIds[0]);
    expect(problems(await by([own]))).toEqual([["evaluationIds.0", words]]);
  });

  it("leaves out a failure of the same set", async () => {
    const { runId, resultIds, set } = await judged([
      {},
      { policy: "buckets" },
      { policy: "buckets", message: "Also." },
    ]);
    const [first = "", second = ""] = resultIds;
    expect(problems(await override(runId, [first], ann))).toEqual([
      [
        "resultIds",
        `must name all failures of "${set.name}", which are overridden together: ${second} and 1 more is missing.`,
      ],
    ]);
    const another = await addSet();
    const [third = ""] = await judge(scene, runId, another, [{}]);
    expect((await override(runId, [third], ann)).run.approvals).toMatchObject([{ stage: `Override: ${another.name}` }]);
    expect((await override(runId, resultIds, ann)).run.approvals).toHaveLength(2);
  });

  it("is about a plan of which more was found than is read: nothing of it is read", async () => {
    const { runId, resultIds } = await judged([{}]);
    const fill = (upTo: number) =>
      scene.rows(
        `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
           addresses, fingerprint)
         select r.evaluation_id || n, r.evaluation_id, n, r.policy, r.rule, 'ADVISORY', true, 'FAILED', r.message, '{}', r.fingerprint
         from policy_result r, generate_series(1, $2) n where r.id = $1 on conflict do nothing`,
        resultIds[0],
        upTo,
      );
    const message =
      "cannot be overridden: policies found more than 20000 results about the plan. Change the plan, or a policy that finds so many.";
    await fill(LIMITS.findingsRead);
    expect(problems(await override(runId, resultIds, ann))).toEqual([["resultIds", message]]);
    const whole = { evaluationIds: [await evaluationOf(runId)] };
    expect(problems(await override(runId, [], ann, whole))).toEqual([["evaluationIds", message]]);
    const { evaluationIds } = whole;
    await scene.rows("delete from policy_result where evaluation_id = any($1) and position = 1", evaluationIds);
    expect((await override(runId, resultIds, ann)).run.approvals).toHaveLength(1);
  });

  it("is about an old plan, or comes after the gate", async () => {
    const { runId, resultIds, set } = await judged([{}], { workspace: EAGER_REVIEWED });
    await scene.quick("replanRun", { runId, planVersion: 1 });
    await (await scene.claim(runId)).plan();
    expect(await override(runId, resultIds, ann)).toMatchObject({
      __typename: "StalePlanError",
      message: "The current plan is version 2, not 1.",
    });
    expect(problems(await override(runId, resultIds, ann, { planVersion: 2 }))).toEqual([
      ["resultIds.0", "must be a failed result of this plan."],
    ]);
    const fresh = await judge(scene, runId, set, [{}]);
    await approve(runId, bob, { planVersion: 2 });
    expect((await override(runId, fresh, ann, { planVersion: 2 })).run.status).toBe("CONFIRMED");
    expect(await override(runId, fresh, bob, { planVersion: 2 })).toMatchObject({
      __typename: "RunStateConflictError",
      message: "Cannot override policies of a run that is CONFIRMED: it does not wait at its plan gate.",
    });
  });

  it("is of a hidden run, or of one that does not exist", async () => {
    const { resultIds } = await judged([{}]);
    expect(await override("run_00000000000000000000000000", resultIds, ann)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("an override", () => {
  it("is reported by the stream of the run", async () => {
    const { runId, resultIds, stage } = await judged([{}]);
    await using events = scene.api.subscribe(
      `subscription ($id: ID!) { runEvents(runId: $id) { __typename
        ... on ApprovalRecorded { approval { decision stage actor { id } } } } }`,
      { id: runId },
    );
    const next = async (): Promise<Data> => (await events.next()).value.runEvents;
    expect(await next()).toMatchObject({ __typename: "RunSnapshot" });
    await override(runId, resultIds, ann);
    expect(await next()).toMatchObject({ approval: { decision: "OVERRIDDEN", stage, actor: { id: ann.actorId } } });
  });
});
