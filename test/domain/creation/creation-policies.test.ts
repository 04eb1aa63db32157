/** Policies at the point RUN_CREATE: each way in which a run is created, and what changes while they judge. */
import { globSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bulkRound } from "../../../src/domain/bulk/bulk-round.ts";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { openChangeset } from "../../../src/domain/changeset/open-changeset.ts";
import { underCreationPolicies, UnjudgedCreation } from "../../../src/domain/creation/creation-policies.ts";
import { JUDGEMENT_LIMITS } from "../../../src/model/policy/judgement-limits.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import { aroundJudgements, atCreation, attachAtCreation, sendCreation } from "../../support/created-runs.ts";
import { waitUntil } from "../../support/eventually.ts";
import {
  activate,
  attach,
  evaluationsOf,
  judgeAll,
  planned,
  planWithDocument,
  statusOf,
} from "../../support/judged-runs.ts";
import { addMachine } from "../../support/machine.ts";
import type { InProcess } from "../../support/in-process.ts";
import { readWebhookDeliveries, sendWebhookCommand } from "../../support/webhook-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const DENY = { name: "deny" };
const PASS = { name: "pass", when: "false" };
const never = new AbortController().signal;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(100);
  other = await scene.server.second();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const create = (workspaceId: string, more: object = {}, api: Api = scene.api): Promise<Data> =>
  sendCreation(api, "createRun", { workspaceId, ...more });
const countRuns = async (workspaceId: string): Promise<number> =>
  (await scene.rows("select id from run where workspace_id = $1", workspaceId)).length;

/** A run whose kind and message a policy reads, in a workspace where all went well before. */
async function finished(): Promise<{ workspaceId: string; runId: string }> {
  return scene.reach("FINISHED");
}

describe("a denial", () => {
  it("names policy, rule and words; no run is stored, and the refusal is recorded", async () => {
    const workspaceId = await scene.createWorkspace();
    const when = "run.kind == 'DEPLOY' && run.id == null && plan == null";
    const policies = [{ ...DENY, when, message: "{{actor.name}} may not {{run.kind}} {{workspace.name}}." }];
    const { setId } = await attachAtCreation(scene, workspaceId, policies);
    const { name } = await scene.workspace(workspaceId);
    const refused = await create(workspaceId);
    expect(refused).toMatchObject({ __typename: "PolicyDeniedError", code: "POLICY_DENIED" });
    expect(refused.message).toMatch(/^The policy set \w+\/deny denies it: .* Change what the results name/);
    expect(refused.results).toEqual([
      {
        policySet: { id: setId },
        policySetName: expect.stringMatching(/^set /),
        policy: "deny",
        rule: "deny",
        level: "MANDATORY",
        status: "FAILED",
        message: expect.stringMatching(new RegExp(`may not DEPLOY ${name}\\.$`)),
        remediation: null,
      },
    ]);
    expect(await countRuns(workspaceId)).toBe(0);
    const records = await scene.rows("select code from rejected_command where subject_id = $1", workspaceId);
    expect(records).toEqual([{ code: "POLICY_DENIED" }]);
    expect(await create(workspaceId, { kind: "PLAN" })).toMatchObject({ run: { policyWarnings: 0 } });
  });

  it("meets every command that creates a run, and none that does not", async () => {
    const { workspaceId, runId } = await finished();
    const ofPlan = await scene.createWorkspace();
    const plan = { workspaceId: ofPlan, runId: await scene.plan(ofPlan) };
    await attachAtCreation(scene, plan.workspaceId, [DENY]);
    const applied = await scene.reach("AWAITING_APPLY_APPROVAL");
    await attachAtCreation(scene, workspaceId, [DENY]);
    await attachAtCreation(scene, applied.workspaceId, [DENY]);
    const before = await countRuns(workspaceId);
    for (const [name, ofRun] of [
      ["retryRun", runId],
      ["promoteRun", plan.runId],
      ["rollbackRun", runId],
    ] as const) {
      expect([name, (await sendCreation(scene.api, name, { runId: ofRun })).code]).toEqual([name, "POLICY_DENIED"]);
    }
    expect((await create(plan.workspaceId, { kind: "APPLY", planRunId: plan.runId })).code).toBe("POLICY_DENIED");
    expect([await countRuns(workspaceId), await countRuns(plan.workspaceId)]).toEqual([before, 1]);
    // A replan is of the same run.
    expect(await scene.send("replanRun", { runId: applied.runId, planVersion: 1 })).toMatchObject({
      __typename: "ReplanRunSuccess",
    });
    // What releases a lock of a state must not depend on policies.
    expect(await create(workspaceId, { kind: "UNLOCK" })).toMatchObject({ __typename: "CreateRunSuccess" });
  });

  it.each([
    ["MANDATORY", {}, /denies it/],
    ["SOFT_MANDATORY, which no one can override yet", { level: "SOFT_MANDATORY" }, /cannot be overridden/],
    ["an error, by FAIL_CLOSED", { when: "run.nothing.there" }, /could not be judged/],
  ] as const)("%s denies", async (_name, policy, words) => {
    const workspaceId = await scene.createWorkspace();
    await attachAtCreation(scene, workspaceId, [{ ...DENY, ...policy }]);
    const refused = await create(workspaceId);
    expect([refused.code, refused.message]).toEqual(["POLICY_DENIED", expect.stringMatching(words)]);
    expect(await countRuns(workspaceId)).toBe(0);
  });

  it("by ASK is SOFT_MANDATORY, which denies; FAIL_OPEN warns", async () => {
    const failing = [{ ...DENY, when: "run.nothing.there" }];
    const asking = await scene.createWorkspace();
    await attachAtCreation(scene, asking, failing, { onError: "ASK" });
    const refused = await create(asking);
    expect(refused.results).toMatchObject([{ level: "SOFT_MANDATORY", status: "ERROR" }]);
    const open = await scene.createWorkspace();
    await attachAtCreation(scene, open, failing, { onError: "FAIL_OPEN" });
    expect(await create(open)).toMatchObject({ run: { policyWarnings: 1 } });
  });

  it("stops a rule that never ends after its CPU time", async () => {
    const workspaceId = await scene.createWorkspace();
    const digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    const endless = "abcdefghi".split("").reduceRight((inner, name) => `${digits}.all(${name}, ${inner})`, "a >= 0");
    await attachAtCreation(scene, workspaceId, [{ ...DENY, when: endless }]);
    const refused = await create(workspaceId);
    expect(refused.results).toMatchObject([{ status: "ERROR", message: expect.stringContaining("CPU") }]);
  });

  it("is judged again with the same idempotency key, and a run that exists is not", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [DENY]);
    const request = { idempotencyKey: "one" };
    expect((await create(workspaceId, request)).code).toBe("POLICY_DENIED");
    expect((await create(workspaceId, request)).code).toBe("POLICY_DENIED");
    await activate(scene, setId, atCreation([PASS]));
    const first = await create(workspaceId, request);
    expect(first).toMatchObject({ __typename: "CreateRunSuccess" });
    await activate(scene, setId, atCreation([DENY]), 3);
    expect(await create(workspaceId, request)).toMatchObject({ run: { id: first.run.id } });
    expect(await countRuns(workspaceId)).toBe(1);
  });
});

describe("what is recorded", () => {
  it("are the judgements with the run, shadows too, and events name those that decide", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [PASS, { name: "warn", level: "ADVISORY" }]);
    await activate(scene, setId, atCreation([DENY]), 2, "SHADOW");
    const { run } = await create(workspaceId);
    expect(run.policyWarnings).toBe(1);
    const evaluations = await evaluationsOf(scene, run.id);
    expect(new Set(evaluations.map(({ point, shadow, status }) => `${point} ${shadow} ${status}`))).toEqual(
      new Set(["RUN_CREATE false WARNED", "RUN_CREATE true FAILED"]),
    );
    const events = await scene.rows("select version, type from run_event where run_id = $1 order by version", run.id);
    expect(events.slice(0, 2)).toEqual([
      { version: 1, type: "STATUS_CHANGED" },
      { version: 2, type: "POLICY_EVALUATED" },
    ]);
  });

  it("warnings stop auto-apply, also beside those of the plan, and after a replan", async () => {
    const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
    await attachAtCreation(scene, workspaceId, [{ name: "warn", level: "ADVISORY" }]);
    const { runId } = await planned(scene, workspaceId);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    const both = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
    await attachAtCreation(scene, both, [{ name: "warn", level: "ADVISORY" }]);
    await attach(scene, both, [{ name: "plan", level: "ADVISORY" }]);
    const second = await planned(scene, both);
    await judgeAll(scene);
    const warnings = async (id: string): Promise<unknown> =>
      (await scene.api.ask("query ($id: ID!) { run(id: $id) { policyWarnings } }", { id })).run.policyWarnings;
    expect(await warnings(second.runId)).toBe(2);
    expect(await statusOf(scene, second.runId)).toBe("AWAITING_APPLY_APPROVAL");
    await scene.send("replanRun", { runId: second.runId, planVersion: 1 });
    const job = await scene.claim(second.runId);
    await planWithDocument(job);
    expect(await warnings(second.runId)).toBe(1);
    await judgeAll(scene);
    expect(await warnings(second.runId)).toBe(2);
  });

  it("an exception waives a denial, and is named by the result", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [DENY]);
    expect((await create(workspaceId)).code).toBe("POLICY_DENIED");
    const id = scene.server.deps.newId("policyException");
    await scene.rows(
      `insert into policy_exception (id, organization_id, set_id, policy, rule, address_glob, workspace_ids, reason, state,
        requested_by, requester_counts_as, requested_at, expires_at, decided_by, decided_at)
       values ($1, $2, $3, 'deny', '*', '*', array[$4], 'It moves.', 'APPROVED', $5, $5, now(), now() + interval '1 hour', $5, now())`,
      id,
      DEFAULT_ORGANIZATION_ID,
      setId,
      workspaceId,
      SYSTEM_ACTOR_ID,
    );
    const { run } = await create(workspaceId);
    expect(await evaluationsOf(scene, run.id)).toMatchObject([{ status: "PASSED", results: [{ status: "WAIVED" }] }]);
    const [result] = await scene.rows(
      "select r.exception_id from policy_result r join policy_evaluation e on e.id = r.evaluation_id where e.run_id = $1",
      run.id,
    );
    expect(result?.exception_id).toBe(id);
    await scene.rows(
      "update policy_exception set expires_at = now(), requested_at = now() - interval '1 day' where id = $1",
      id,
    );
    expect((await create(workspaceId)).code).toBe("POLICY_DENIED");
  });
});

describe("the input", () => {
  it("names variables without values, and masks secrets in free texts", async () => {
    const canary = "c4n4ry-of-creation";
    const workspaceId = await scene.createWorkspace({ labels: ["env:prod"] });
    await scene.send("setVariable", {
      workspaceId,
      key: "TOKEN",
      value: canary,
      sensitive: true,
      category: "ENVIRONMENT",
    });
    await scene.send("setVariable", { workspaceId, key: "size", value: "plain-value", category: "ENGINE" });
    const seen: string[] = [];
    const { deps } = scene.server;
    const { evaluator } = deps;
    deps.evaluator = {
      ...evaluator,
      judge: (source, input, ...rest) => {
        seen.push(JSON.stringify(input));
        return evaluator.judge(source, input, ...rest);
      },
    };
    const when = "run.message.contains('for') && workspace.labels.env == 'prod'";
    const message = "{{run.message}} {{run.metadata}} {{run.variables}} {{run.revision != null}}";
    await attachAtCreation(scene, workspaceId, [{ name: "shown", level: "ADVISORY", when, message }]);
    try {
      const metadata = [{ key: "note", value: `x${canary}y` }];
      const { run } = await create(workspaceId, { message: `Deploys for ${canary}`, metadata });
      const [result] = await scene.rows(
        "select r.message, r.trace::text from policy_result r join policy_evaluation e on e.id = r.evaluation_id where e.run_id = $1",
        run.id,
      );
      expect(result?.message).toMatch(/^Deploys for \*\*\* .*x\*\*\*y.*TOKEN.*true$/);
      expect(result?.trace).toContain("***");
      const texts = [...seen, JSON.stringify(result)].join("\n");
      expect(seen).toHaveLength(1);
      expect(texts).not.toContain(canary);
      expect(texts).not.toContain("plain-value");
      expect(JSON.parse(seen[0] ?? "{}")).toMatchObject({
        point: "RUN_CREATE",
        document: null,
        context: {
          holdpoint: { point: "RUN_CREATE" },
          run: {
            id: null,
            number: null,
            kind: "DEPLOY",
            trigger: "MANUAL",
            cause: null,
            planVersion: 0,
            variables: { TOKEN: { category: "ENVIRONMENT", sensitive: true }, size: { sensitive: false } },
          },
          previousRun: null,
        },
      });
    } finally {
      deps.evaluator = evaluator;
    }
  });

  it("has what caused a run, and the command of a task", async () => {
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true });
    await attachAtCreation(scene, workspaceId, [
      { ...DENY, when: "run.kind == 'TASK' && run.command.contains('state rm')" },
    ]);
    expect((await create(workspaceId, { kind: "TASK", command: "terraform state rm a.b" })).code).toBe("POLICY_DENIED");
    expect(await create(workspaceId, { kind: "TASK", command: "terraform state list" })).toMatchObject({ run: {} });
  });
});

describe("what changes while policies judge", () => {
  it("a version that is activated between the judgement and the commit judges again", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [PASS]);
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    // A second connection has the workspace from the judgement on: the commit waits for it.
    let holding: Promise<unknown> = Promise.resolve();
    using judgements = aroundJudgements(scene, {
      after: async (judgement) => {
        if (judgement > 1) return;
        holding = other.deps.database.transaction(async (tx) => {
          await tx.sql.selectFrom("workspace").select("id").where("id", "=", workspaceId).forUpdate().execute();
          locked.resolve();
          await held.promise;
        });
        await locked.promise;
      },
    });
    const creating = create(workspaceId);
    await locked.promise;
    await waitUntil(
      async () =>
        (
          await scene.rows(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).length > 0,
    );
    await activate(scene, setId, atCreation([DENY]));
    held.resolve();
    expect((await creating).code).toBe("POLICY_DENIED");
    await holding;
    expect(judgements.count).toBe(2);
    expect(await countRuns(workspaceId)).toBe(0);
  });

  it("a version that is retired meanwhile does not deny", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [DENY]);
    using judgements = aroundJudgements(scene, {
      after: async () => void (await scene.rows("update policy_set set enabled = false where id = $1", setId)),
    });
    expect(await create(workspaceId)).toMatchObject({ __typename: "CreateRunSuccess" });
    expect(judgements.count).toBe(1);
  });

  it("an input that changes each time is given up, and no run is created", async () => {
    const workspaceId = await scene.createWorkspace();
    await attachAtCreation(scene, workspaceId, [PASS]);
    using judgements = aroundJudgements(scene, {
      after: async (judgement) =>
        void (await scene.rows("update workspace set description = $2 where id = $1", workspaceId, `${judgement}`)),
    });
    expect(await create(workspaceId)).toMatchObject({
      code: "POLICY_DENIED",
      message: expect.stringContaining("Try again"),
      results: [],
    });
    expect(judgements.count).toBe(JUDGEMENT_LIMITS.creationTries);
    expect(await countRuns(workspaceId)).toBe(0);
  });

  it("holds no lock while it judges", async () => {
    const workspaceId = await scene.createWorkspace();
    await attachAtCreation(scene, workspaceId, [PASS]);
    const paused = Promise.withResolvers<void>();
    const judging = Promise.withResolvers<void>();
    using _judgements = aroundJudgements(scene, {
      before: async () => {
        judging.resolve();
        await paused.promise;
      },
    });
    const creating = create(workspaceId);
    await judging.promise;
    // A change of the workspace by another server does not wait.
    await other.deps.database.transaction((tx) =>
      tx.sql.selectFrom("workspace").select("id").where("id", "=", workspaceId).forUpdate().noWait().execute(),
    );
    paused.resolve();
    expect(await creating).toMatchObject({ __typename: "CreateRunSuccess" });
  });

  it("two servers that create at once judge each, and both are denied by a version of either", async () => {
    const workspaceId = await scene.createWorkspace();
    const { setId } = await attachAtCreation(scene, workspaceId, [PASS]);
    const second = createApi(other.url, scene.api.token);
    const answers = await Promise.all([create(workspaceId), create(workspaceId, {}, second)]);
    expect(answers.map(({ __typename }) => __typename)).toEqual(["CreateRunSuccess", "CreateRunSuccess"]);
    await activate(scene, setId, atCreation([DENY]));
    const denied = await Promise.all([create(workspaceId), create(workspaceId, {}, second)]);
    expect(denied.map(({ code }) => code)).toEqual(["POLICY_DENIED", "POLICY_DENIED"]);
    expect(await countRuns(workspaceId)).toBe(2);
  });

  it("kill -9 of the evaluator: it judges again; without an end it cannot be judged", async () => {
    const workspaceId = await scene.createWorkspace();
    const digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    const long = "abcde".split("").reduceRight((inner, name) => `${digits}.all(${name}, ${inner})`, "a + b >= 0");
    await attachAtCreation(scene, workspaceId, [{ ...DENY, when: long, message: "It was judged." }]);
    const once = create(workspaceId);
    await waitUntil(async () => killEvaluators() > 0);
    expect((await once).results).toMatchObject([{ status: "FAILED", message: "It was judged." }]);
    const killing = new AbortController();
    const always = create(workspaceId).finally(() => killing.abort());
    while (!killing.signal.aborted) {
      killEvaluators();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await always).results).toMatchObject([{ status: "ERROR" }]);
    expect(await countRuns(workspaceId)).toBe(0);
  });

  it("passes other errors on, and repeats nothing then", async () => {
    let tries = 0;
    const broken = underCreationPolicies(scene.server.deps, "REFUSE", async () => {
      tries++;
      throw new Error("It is broken.");
    });
    await expect(broken).rejects.toThrow("It is broken.");
    const endless = underCreationPolicies(scene.server.deps, "REFUSE", async () => {
      tries++;
      throw new UnjudgedCreation([]);
    });
    await expect(endless).rejects.toMatchObject({ code: "POLICY_DENIED" });
    expect(tries).toBe(1 + 1 + JUDGEMENT_LIMITS.creationTries);
  });
});

/** Kills the evaluators of this process that are at work; gives their number. */
function killEvaluators(): number {
  let killed = 0;
  for (const folder of globSync(`/proc/${process.pid}/task/*/children`)) {
    for (const pid of readFileSync(folder, "utf8").trim().split(" ").filter(Boolean)) {
      if (!isEvaluator(pid)) continue;
      try {
        process.kill(Number(pid), "SIGKILL");
        killed++;
      } catch {
        // It has ended.
      }
    }
  }
  return killed;
}

function isEvaluator(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("evaluator/child/main");
  } catch {
    return false;
  }
}

describe("runs that are created later", () => {
  const work = (): Promise<void> => changesetRound(scene.server.deps, never);

  async function opened(workspaceIds: string[], credentialId: string | null): Promise<string> {
    const { deps } = scene.server;
    const { id } = await deps.database.transaction((tx) =>
      openChangeset(tx, deps, {
        organizationId: DEFAULT_ORGANIZATION_ID,
        source: "PUSH",
        trigger: "PUSH",
        title: "Raise the limits",
        commit: null,
        kind: "DEPLOY",
        members: workspaceIds.map((workspaceId) => ({ workspaceId })),
        createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId },
      }),
    );
    return id;
  }

  it("by a trigger end SKIPPED with the reason; the others of the changeset are created", async () => {
    const [denied, passed, free] = [
      await scene.createWorkspace({ limits: { queueSeconds: 600 } }),
      await scene.createWorkspace(),
      await scene.createWorkspace(),
    ];
    await attachAtCreation(scene, denied, [{ ...DENY, when: "run.trigger == 'PUSH'" }]);
    await attachAtCreation(scene, passed, [PASS]);
    const hook = { organizationId: DEFAULT_ORGANIZATION_ID, url: "https://example.com/", events: ["RUN_ENDED"] };
    const { webhook } = await sendWebhookCommand(scene.api, "createWebhook", { ...hook, workspaceId: denied });
    const id = await opened([denied, passed, free], null);
    await work();
    const runs = await scene.rows(
      "select workspace_id, status, reason, awaits_upstream, alarm_at from run where changeset_id = $1",
      id,
    );
    const of = (workspaceId: string): Data => runs.find((run) => run.workspace_id === workspaceId);
    expect(of(denied)).toMatchObject({
      status: "SKIPPED",
      reason: expect.stringMatching(/deny denies it: deny objects/),
      alarm_at: null,
    });
    expect([passed, free].map((one) => of(one)?.status)).toEqual(["READY", "READY"]);
    const [{ id: runId }] = await scene.rows("select id from run where workspace_id = $1", denied);
    const told = (await readWebhookDeliveries(scene.api, webhook.id)).map(
      ({ payload }) => JSON.parse(payload).data.run,
    );
    expect(told).toMatchObject([{ id: runId, status: "SKIPPED" }]);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ point: "RUN_CREATE", status: "FAILED" }]);
  });

  it("for a person are a problem of their member, without a run", async () => {
    const [denied, passed] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await attachAtCreation(scene, denied, [DENY]);
    const input = { organizationId: DEFAULT_ORGANIZATION_ID, title: "All", workspaceIds: [denied, passed] };
    const answer = await scene.api.ask(
      `mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) {
        ... on CreateChangesetSuccess { changeset { id } } ... on UserError { message } } }`,
      { input },
    );
    const { id } = answer.createChangeset.changeset;
    await work();
    const members = await scene.rows(
      "select workspace_id, run_id is not null as has_run, problem from changeset_member where changeset_id = $1",
      id,
    );
    expect(members.find((one) => one.workspace_id === denied)).toMatchObject({
      has_run: false,
      problem: expect.stringMatching(/deny denies it/),
    });
    expect(members.find((one) => one.workspace_id === passed)).toMatchObject({ has_run: true, problem: null });
    expect(await countRuns(denied)).toBe(0);
  });

  it("after a denied one do not go on as if it had been applied", async () => {
    const [upstream, downstream] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await scene.rows(
      "insert into workspace_dependency (downstream_id, upstream_id) values ($1, $2)",
      downstream,
      upstream,
    );
    await attachAtCreation(scene, upstream, [DENY]);
    const id = await opened([upstream, downstream], null);
    await work();
    expect(
      await scene.rows("select status from run where changeset_id = $1 and workspace_id = $2", id, upstream),
    ).toEqual([{ status: "SKIPPED" }]);
    const [run] = await scene.rows(
      "select status, failure ->> 'code' as code from run where workspace_id = $1",
      downstream,
    );
    expect(run).toEqual({ status: "FAILED", code: "DEPENDENCY_FAILED" });
  });

  it("by a bulk retry are refused one by one", async () => {
    const [denied, passed] = [await finished(), await finished()];
    await attachAtCreation(scene, denied.workspaceId, [DENY]);
    await attachAtCreation(scene, passed.workspaceId, [PASS]);
    for (const { workspaceId } of [denied, passed]) {
      const input = { action: "RETRY", filter: { workspaceId } };
      const { bulkRunAction } = await scene.api.ask(
        `mutation ($input: BulkRunActionInput!) { bulkRunAction(input: $input) {
          ... on BulkRunActionSuccess { operation { id } } ... on UserError { message } } }`,
        { input },
      );
      await bulkRound(scene.server.deps, never);
      const items = await scene.rows(
        "select ok, code, new_run_id is not null as has_run from bulk_item where operation_id = $1",
        bulkRunAction.operation.id,
      );
      const isDenied = workspaceId === denied.workspaceId;
      expect(items).toEqual([
        isDenied ? { ok: false, code: "POLICY_DENIED", has_run: false } : { ok: true, code: null, has_run: true },
      ]);
    }
  });
});

it("a hidden workspace gets the same answer with and without policies, and nothing is judged", async () => {
  const [seen, plain, denied] = [
    await scene.createWorkspace(),
    await scene.createWorkspace(),
    await scene.createWorkspace(),
  ];
  await attachAtCreation(scene, denied, [DENY]);
  const writer = await addMachine(scene.server.url, scene.api, ["WRITER", seen]);
  const reader = await addMachine(scene.server.url, scene.api, ["READER", denied]);
  using judgements = aroundJudgements(scene, {});
  const [one, two] = [await create(plain, {}, writer), await create(denied, {}, writer)];
  expect(one).toEqual(two);
  expect(one.code).toBe("NOT_FOUND");
  expect((await create(denied, {}, reader)).code).toBe("FORBIDDEN");
  expect(judgements.count).toBe(0);
});
