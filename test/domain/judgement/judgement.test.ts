/** Policies judge the plans of runs: rules in CEL, in the processes that judge them, from the plan to the end of the run. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { concludeJudgement } from "../../../src/domain/judgement/conclude.ts";
import { createJudgements } from "../../../src/domain/judgement/judgements.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { JUDGEMENT_LIMITS } from "../../../src/model/policy/judgement-limits.ts";
import {
  activate,
  attach,
  evaluationsOf,
  judgeAll,
  planned,
  planWithDocument,
  statusOf,
} from "../../support/judged-runs.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

const SINGLE = { planApproval: "WHEN_REQUIRED", autoApply: "NEVER" };
const AUTO = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const DENY = { name: "deny" };
const ASK = { name: "ask", level: "SOFT_MANDATORY" } as const;
const WARN = { name: "warn", level: "ADVISORY" } as const;
const PASS = { name: "pass", when: "false" };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(100);
});
afterEach(() => {
  expect(scene.server.reported).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const approve = (runId: string, gate: "PLAN" | "APPLY", planVersion = 1) =>
  scene.send("approveRun", { runId, gate, planVersion });

/** The stages that a run still needs. */
async function gatesOf(runId: string): Promise<{ gate: string; source: string | null }[]> {
  const query = "query ($id: ID!) { run(id: $id) { approvalRequirements { gate source } } }";
  return (await scene.api.ask(query, { id: runId })).run.approvalRequirements;
}

/** Overrides everything that asks, as a person who may. */
async function override(runId: string): Promise<unknown> {
  const results = await scene.rows(
    `select r.id from policy_result r join policy_evaluation e on e.id = r.evaluation_id
      where e.run_id = $1 and r.level = 'SOFT_MANDATORY'`,
    runId,
  );
  const resultIds = results.map(({ id }) => id);
  const approver = await scene.person("ADMIN");
  const answer = await approver.ask(
    `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) { __typename
      ... on OverridePoliciesSuccess { run { status } } ... on UserError { code message } } }`,
    { input: { runId, planVersion: 1, resultIds, comment: "It is known." } },
  );
  return answer.overridePolicies;
}

describe("the judgement of a plan", () => {
  it.each(
    walk(
      [
        ["passes", PASS, AUTO, "CONFIRMED"],
        ["passes, and a person confirms", PASS, SINGLE, "AWAITING_APPLY_APPROVAL"],
        ["warns, which stops auto-apply", WARN, AUTO, "AWAITING_APPLY_APPROVAL"],
        ["warns without an effect", { ...WARN, stopsAutoApply: false }, AUTO, "CONFIRMED"],
        ["asks", ASK, AUTO, "AWAITING_PLAN_APPROVAL"],
        ["denies", DENY, AUTO, "REJECTED"],
      ] as const,
      3,
    ),
  )("%s", async (_name, policy, settings, status) => {
    const workspaceId = await scene.createWorkspace(settings);
    await attach(scene, workspaceId, [policy]);
    const { runId } = await planned(scene, workspaceId);
    expect(await statusOf(scene, runId)).toBe("POLICY_CHECKING");
    expect((await scene.run(runId, "blockers"))["blockers"]).toEqual([]);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe(status);
  });

  it("names policy and rule of a denial, and is shown with its results", async () => {
    const workspaceId = await scene.createWorkspace();
    await attach(scene, workspaceId, [DENY, WARN, PASS]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    const run = await scene.run(runId);
    expect(run).toMatchObject({
      status: "REJECTED",
      requiredAction: "FIX_AND_RERUN",
      failure: { code: "POLICY_DENIED", stage: "POLICY", category: "POLICY_FAILURE", retryable: false },
    });
    expect(run["failure"]["summary"]).toMatch(/^The policy set \w+\/deny denies it: deny objects\.$/);
    expect(run["reason"]).toBe(run["failure"]["summary"]);
    expect(run["phases"].at(-1)).toMatchObject({ kind: "POLICY", status: "FAILED" });
    const answer = await scene.api.ask(
      `query ($id: ID!) { run(id: $id) { policyWarnings
        policyEvaluations(point: PLAN, shadow: false) { id point planVersion shadow status passed error cpuMs finishedAt run { id }
          results(first: 1) { edges { node { policy rule level status message addresses stopsAutoApply remediation } }
            pageInfo { hasNextPage endCursor } } }
        events(last: 4) { edges { node { __typename ... on PolicyEvaluated { evaluation { status } } ... on RunChanged { fields } } } } } }`,
      { id: runId },
    );
    const [evaluation] = answer.run.policyEvaluations;
    expect(evaluation).toMatchObject({ point: "PLAN", planVersion: 1, shadow: false, status: "FAILED", passed: 1 });
    expect(evaluation.results.edges).toEqual([
      {
        node: {
          policy: "deny",
          rule: "deny",
          level: "MANDATORY",
          status: "FAILED",
          message: "deny objects.",
          addresses: [],
          stopsAutoApply: true,
          remediation: null,
        },
      },
    ]);
    expect(evaluation.results.pageInfo.hasNextPage).toBe(true);
    const next = await scene.api.ask(
      `query ($id: ID!, $after: String) { node(id: $id) { ... on PolicyEvaluation {
        results(first: 5, after: $after) { edges { node { id policy } } } errors: results(statuses: [ERROR]) { edges { node { id } } } } } }`,
      { id: evaluation.id, after: evaluation.results.pageInfo.endCursor },
    );
    expect(next.node.results.edges.map((edge: { node: { policy: string } }) => edge.node.policy)).toEqual(["warn"]);
    expect(next.node.errors.edges).toEqual([]);
    expect(answer.run.policyWarnings).toBe(1);
    const types = answer.run.events.edges.map((edge: { node: { __typename: string } }) => edge.node.__typename);
    expect(types).toEqual(["PolicyEvaluated", "RunChanged", "PhaseChanged", "RunStatusChanged"]);
  });

  it("denies where policies found more than is read, and passes where they found as much", async () => {
    const end = async (found: number) => {
      const workspaceId = await scene.createWorkspace(AUTO);
      await attach(scene, workspaceId, [WARN]);
      const { runId } = await planned(scene, workspaceId);
      const [evaluation] = await scene.rows("select id from policy_evaluation where run_id = $1", runId);
      await scene.rows(
        `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
           addresses, fingerprint)
         select $1 || n, $1, n, 'warn', 'warn', 'ADVISORY', false, 'FAILED', 'Warned.', '{}', 'a' from generate_series(1, $2) n`,
        evaluation?.id,
        found,
      );
      await scene.rows(
        "update policy_evaluation set status = 'WARNED', finished_at = now() where id = $1",
        evaluation?.id,
      );
      expect(await concludeJudgement(scene.server.deps, runId)).toBe(true);
      return scene.run(runId);
    };
    expect(await end(LIMITS.findingsRead)).toMatchObject({ status: "CONFIRMED" });
    const message = "could not be judged: policies found more than 20000 results about the plan";
    expect(await end(LIMITS.findingsRead + 1)).toMatchObject({
      status: "REJECTED",
      failure: { code: "POLICY_ERROR", summary: expect.stringContaining(message) },
    });
  });

  it("asks people, who see it as their next action", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [ASK]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await scene.run(runId, "requiredAction")).toMatchObject({ requiredAction: "OVERRIDE_POLICY" });
  });

  it("keeps a warning in force where overrides alone pass the plan gate", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [WARN, ASK]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    const gates = async () => (await gatesOf(runId)).map(({ gate, source }) => [gate, source]);
    expect(await gates()).toEqual([
      ["PLAN", "OVERRIDE"],
      ["APPLY", null],
    ]);
    expect(await override(runId)).toMatchObject({ run: { status: "AWAITING_APPLY_APPROVAL" } });
    expect(await gates()).toEqual([["APPLY", null]]);
    await approve(runId, "APPLY");
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });

  it.each(["before", "after"] as const)("accepts a warning by an approval %s the override", async (order) => {
    const approvalRules = [{ name: "review", gate: "PLAN", kinds: ["DEPLOY"], when: { triggers: ["API", "MANUAL"] } }];
    const workspaceId = await scene.createWorkspace({ ...AUTO, approvalRules });
    await attach(scene, workspaceId, [WARN, ASK]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect((await gatesOf(runId)).map(({ gate }) => gate)).toEqual(["PLAN", "PLAN"]);
    if (order === "before") await approve(runId, "PLAN");
    await override(runId);
    if (order === "after") await approve(runId, "PLAN");
    expect(await statusOf(scene, runId)).toBe("CONFIRMED");
  });

  it("is left out for a plan without changes, unless a set judges those", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [DENY]);
    const none = { hasChanges: false, resourceChanges: [], counts: { ...NONE } };
    const { runId } = await planned(scene, workspaceId, "DEPLOY", none);
    expect(await scene.run(runId, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "NO_CHANGES" });
    await attach(scene, workspaceId, [DENY], { judgesUnchanged: true });
    const other = await planned(scene, workspaceId, "DEPLOY", none);
    await judgeAll(scene);
    expect(await statusOf(scene, other.runId)).toBe("REJECTED");
    expect(await evaluationsOf(scene, other.runId)).toHaveLength(1);
  });

  it("is for the runs that the selector selects", async () => {
    const workspaceId = await scene.createWorkspace({ ...AUTO, labels: ["env:prod"], name: "select-a" });
    await attach(scene, workspaceId, [DENY], { selector: { labels: ["env:dev"] } });
    await attach(scene, workspaceId, [DENY], { selector: { names: ["other-*"] } });
    await attach(scene, workspaceId, [DENY], { selector: { kinds: ["DESTROY"] } });
    await attach(scene, workspaceId, [DENY], { selector: { excludedWorkspaceIds: [workspaceId] } });
    const { runId } = await planned(scene, workspaceId, "PLAN");
    expect(await scene.run(runId, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "PLANNED" });
    await attach(scene, workspaceId, [DENY], { selector: { labels: ["env"], names: ["select-?"] } });
    const { runId: selected } = await planned(scene, workspaceId, "PLAN");
    await judgeAll(scene);
    expect(await statusOf(scene, selected)).toBe("REJECTED");
  });

  it("of an APPLY is made again, on the plan of its PLAN run", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { runId: planRunId } = await planned(scene, workspaceId, "PLAN");
    expect(await statusOf(scene, planRunId)).toBe("FINISHED");
    await attach(scene, workspaceId, [DENY]);
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    expect(await statusOf(scene, runId)).toBe("POLICY_CHECKING");
    await judgeAll(scene);
    expect(await scene.run(runId, "status", "leg", "failure")).toMatchObject({
      status: "REJECTED",
      leg: "APPLY",
      failure: { code: "POLICY_DENIED" },
    });
  });

  it("by a shadow is recorded, and nothing waits for it", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, null);
    await activate(scene, setId, [DENY], 1, "SHADOW");
    const { runId } = await planned(scene, workspaceId);
    expect(await statusOf(scene, runId)).toBe("APPLYING");
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ shadow: true, status: "FAILED" }]);
    expect(await statusOf(scene, runId)).toBe("APPLYING");
  });

  it("keeps its version when the set is deleted, or another version activated or this one retired meanwhile", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    const { setId } = await attach(scene, workspaceId, [DENY]);
    const { runId } = await planned(scene, workspaceId);
    await scene.rows("update policy_set set deleted_at = now() where id = $1", setId);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("REJECTED");
    const other = await attach(scene, workspaceId, [DENY]);
    const { runId: second } = await planned(scene, workspaceId);
    await activate(scene, other.setId, [PASS]);
    await judgeAll(scene);
    expect(await statusOf(scene, second)).toBe("REJECTED");
    const last = await attach(scene, workspaceId, [DENY]);
    const { runId: third } = await planned(scene, workspaceId);
    await scene.rows("update policy_set_version set state = 'RETIRED' where set_id = $1", last.setId);
    await judgeAll(scene);
    expect(await statusOf(scene, third)).toBe("REJECTED");
  });

  it("ends at once with a cancel", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    expect(await scene.send("cancelRun", { runId })).toMatchObject({ run: { status: "STOPPED" } });
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "CANCELED" }]);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("STOPPED");
  });

  it("of a plan that became stale meanwhile leaves nothing at a gate", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    await scene.rows("update workspace set state_serial = state_serial + 1 where id = $1", workspaceId);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("DISCARDED");
  });
});

const NONE = { additions: 0, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0 };

describe("what cannot be judged", () => {
  const broken = { name: "broken", when: "plan.nothing.here == 1" };

  it.each([
    ["FAIL_CLOSED", "REJECTED"],
    ["ASK", "AWAITING_PLAN_APPROVAL"],
    ["FAIL_OPEN", "AWAITING_APPLY_APPROVAL"],
  ] as const)("counts by %s as the set says", async (onError, status) => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [broken, PASS], { onError });
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe(status);
    const [evaluation] = await evaluationsOf(scene, runId);
    expect(evaluation).toMatchObject({ status: "ERRORED", passed: 1 });
    if (status === "REJECTED")
      expect(await scene.run(runId, "failure")).toMatchObject({ failure: { code: "POLICY_ERROR" } });
  });

  it("is a plan without a document, and one that was cut where the whole is needed", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [PASS]);
    const runId = await scene.createRun(workspaceId);
    await (await scene.claim(runId)).plan();
    await judgeAll(scene);
    const { failure } = await scene.run(runId, "failure");
    expect(failure).toMatchObject({ code: "POLICY_ERROR" });
    expect(failure.summary).toContain("The runner sent no document of the plan");
    const other = await scene.createWorkspace(AUTO);
    await attach(scene, other, [PASS], { needsWholePlan: true, onError: "FAIL_OPEN" });
    const cut = await planned(scene, other);
    await scene.rows(
      "update plan_document set truncated = '{prior_state}' where plan_id = (select id from plan where run_id = $1)",
      cut.runId,
    );
    await judgeAll(scene);
    expect((await scene.run(cut.runId, "failure")).failure.summary).toContain("the document lacks prior_state");
  });

  it("is what ends its servers twice, and what nobody judges in time", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    for (let attempt = 1; attempt <= JUDGEMENT_LIMITS.attempts; attempt++) {
      const lost =
        "update policy_evaluation set status = 'RUNNING', lease_id = 'lost', lease_until = now() - interval '1 day', attempt = $2 where run_id = $1";
      await scene.rows(lost, runId, attempt);
    }
    await judgeAll(scene);
    expect((await scene.run(runId, "failure")).failure.summary).toContain("The servers that judged it ended, 2 times.");
    const { runId: late } = await planned(scene, workspaceId);
    await scene.rows(
      "update policy_evaluation set created_at = created_at - interval '11 minutes' where run_id = $1",
      late,
    );
    await judgeAll(scene);
    expect((await scene.run(late, "failure")).failure.summary).toContain("It was not judged within 10 minutes.");
  });
});

describe("before the apply", () => {
  it("a policy of that moment holds the run back, and lets it through or rejects it", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [{ ...PASS, point: "PRE_APPLY" }]);
    const { runId } = await planned(scene, workspaceId);
    const waiting = await scene.run(runId);
    expect(waiting).toMatchObject({ status: "CONFIRMED", blockers: [{ kind: "CHECK_PENDING" }] });
    expect(waiting["blockers"][0]["message"]).toMatch(/^The apply waits for the judgement of set \w+\. Wait for it\.$/);
    await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
    await judgeAll(scene);
    expect((await scene.run(runId, "blockers"))["blockers"]).toEqual([]);
    const applying = await scene.claim(runId);
    expect(applying.job.leg).toBe("APPLY");
    await applying.message({ type: "prepared" });
    await applying.message({ type: "applied", appliedAddresses: [] });
    await attach(scene, workspaceId, [{ ...DENY, point: "PRE_APPLY" }]);
    const { runId: denied } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await scene.run(denied, "status", "leg", "failure", "dialects")).toMatchObject({
      status: "REJECTED",
      leg: "APPLY",
      failure: { code: "POLICY_DENIED" },
      dialects: {},
    });
    expect(await evaluationsOf(scene, denied)).toMatchObject([
      { point: "PRE_APPLY", status: "PASSED" },
      { point: "PRE_APPLY", status: "FAILED" },
    ]);
  });

  it("a version that was activated since judges the plan", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    const { setId } = await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await activate(scene, setId, [DENY]);
    await approve(runId, "APPLY");
    expect(await scene.run(runId, "status", "blockers")).toMatchObject({
      status: "CONFIRMED",
      blockers: [{ kind: "CHECK_PENDING" }],
    });
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("REJECTED");
  });

  it("a version that is activated after the run was offered judges it at its claim", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    const { setId } = await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await approve(runId, "APPLY");
    expect((await scene.run(runId, "blockers"))["blockers"]).toEqual([]);
    await activate(scene, setId, [ASK]);
    await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
    expect((await scene.run(runId, "blockers"))["blockers"]).toMatchObject([{ kind: "CHECK_PENDING" }]);
    await judgeAll(scene);
    // There is no gate behind it: what people would have to override is a denial.
    expect(await statusOf(scene, runId)).toBe("REJECTED");
  });

  it("what people accepted at the plan gate stays accepted", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [ASK]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await activate(scene, setId, [ASK, PASS]);
    await override(runId);
    expect((await scene.run(runId, "blockers"))["blockers"]).toMatchObject([{ kind: "CHECK_PENDING" }]);
    await judgeAll(scene);
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });

  it("a set that came since judges a plan that no policy had judged", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    const { runId } = await planned(scene, workspaceId);
    await attach(scene, workspaceId, [DENY]);
    await approve(runId, "APPLY");
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("REJECTED");
  });

  it("a set that is gone holds nothing back", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    const { setId } = await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await scene.rows("update policy_set set enabled = false where id = $1", setId);
    await approve(runId, "APPLY");
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });

  it("a run that is taken back waits for no judgement any more", async () => {
    const workspaceId = await scene.createWorkspace(SINGLE);
    await attach(scene, workspaceId, [{ ...PASS, point: "PRE_APPLY" }]);
    const { runId } = await planned(scene, workspaceId);
    await approve(runId, "APPLY");
    await scene.quick("discardRun", { runId });
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "CANCELED" }]);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("DISCARDED");
  });
});

describe("two servers", () => {
  it("judge each evaluation once, and conclude once", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    for (let set = 0; set < 6; set++) await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    await using other = await scene.server.second();
    await using one = createJudgements(scene.server.deps);
    await using two = createJudgements(other.deps);
    for (;;) {
      const freed = Promise.race([one.freed(), two.freed()]);
      const begun = await Promise.all([one.begin(), two.begin()]);
      if (begun.every((number) => number === 0)) break;
      await freed;
    }
    await Promise.all([one.idle(), two.idle()]);
    await Promise.all([one.conclude(), two.conclude()]);
    const evaluations = await evaluationsOf(scene, runId);
    expect(evaluations).toHaveLength(6);
    expect(evaluations.every(({ status, attempt }) => status === "PASSED" && attempt === 1)).toBe(true);
    const changes = await scene.rows(
      "select to_status from run_event where run_id = $1 and to_status = 'CONFIRMED'",
      runId,
    );
    expect(changes).toHaveLength(1);
    const events = await scene.rows(
      "select type from run_event where run_id = $1 and type = 'POLICY_EVALUATED'",
      runId,
    );
    expect(events).toHaveLength(6);
  });

  it("a server that stops gives its evaluations back, and they do not count as attempts", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [PASS]);
    const { runId } = await planned(scene, workspaceId);
    {
      await using stopping = createJudgements(scene.server.deps);
      await stopping.begin();
    }
    const [evaluation] = await evaluationsOf(scene, runId);
    expect(["PENDING", "PASSED"]).toContain(evaluation?.["status"]);
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "PASSED", attempt: 1 }]);
  });
});

it("a replan is judged on its own", async () => {
  const workspaceId = await scene.createWorkspace(SINGLE);
  await attach(scene, workspaceId, [WARN]);
  const { runId } = await planned(scene, workspaceId);
  await judgeAll(scene);
  await scene.quick("replanRun", { runId, planVersion: 1 });
  await planWithDocument(await scene.claim(runId));
  expect(await statusOf(scene, runId)).toBe("POLICY_CHECKING");
  await judgeAll(scene);
  expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
  expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "WARNED" }, { status: "WARNED" }]);
});
