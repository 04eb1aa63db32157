/** Runs that wait long between their approval and their apply: what has changed meanwhile judges them again. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { JUDGEMENT_LIMITS } from "../../../src/model/policy/judgement-limits.ts";
import type { Data } from "../../support/api.ts";
import { activate, attach, evaluationsOf, judgeAll, planned, statusOf } from "../../support/judged-runs.ts";
import { openScene, type Scene } from "../scene.ts";

const AUTO = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const PASS = { name: "pass", when: "false" };
const DENY = { name: "deny" };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(100);
});
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));
afterAll(() => scene[Symbol.asyncDispose]());

it("a version with policies about the plan and about the apply is asked for both", async () => {
  const workspaceId = await scene.createWorkspace(AUTO);
  await attach(scene, workspaceId, [PASS, { ...DENY, point: "PRE_APPLY" }]);
  const { runId } = await planned(scene, workspaceId);
  await judgeAll(scene);
  expect((await evaluationsOf(scene, runId)).map(({ point, status }) => `${point} ${status}`)).toEqual([
    "PLAN PASSED",
    "PRE_APPLY FAILED",
  ]);
  expect(await statusOf(scene, runId)).toBe("REJECTED");
});

describe("a run that was judged before its apply, and waits", () => {
  /** A run that passed the judgement before its apply; gives its set. */
  async function passed(): Promise<{ workspaceId: string; runId: string; setId: string }> {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [PASS, { ...PASS, name: "late", point: "PRE_APPLY" }]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await scene.run(runId, "status", "blockers")).toMatchObject({ status: "CONFIRMED", blockers: [] });
    return { workspaceId, runId, setId };
  }
  async function blockersOf(runId: string): Promise<string[]> {
    const run = await scene.run(runId);
    return run["blockers"].map(({ kind }: { kind: string }) => kind);
  }

  /** How often the stream of a run told of other blockers. */
  async function blockerEvents(runId: string): Promise<number> {
    const query =
      "query ($id: ID!) { run(id: $id) { events(first: 100) { edges { node { ... on RunChanged { fields } } } } } }";
    const { edges } = (await scene.api.ask(query, { id: runId })).run.events;
    return edges.filter(({ node }: Data) => node.fields?.includes("blockers")).length;
  }

  it("tells that it is judged again once, and not again when others of its workspace settle", async () => {
    const { workspaceId, runId, setId } = await passed();
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    await activate(scene, setId, [PASS, { ...DENY, point: "PRE_APPLY" }]);
    await judgeAll(scene);
    const before = await blockerEvents(runId);
    await scene.quick("updateWorkspace", { workspaceId, paused: false });
    expect(await blockersOf(runId)).toEqual(["CHECK_PENDING"]);
    expect(await blockerEvents(runId)).toBe(before + 1);
    await scene.createRun(workspaceId);
    expect(await blockerEvents(runId)).toBe(before + 1);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("REJECTED");
  });

  const hour = (): number => scene.server.deps.clock().getUTCHours();
  it.each([
    [
      "a freeze window",
      "FREEZE_WINDOW",
      () => ({ freezeWindows: [{ name: "w", cron: `0 ${hour()} * * *`, durationMinutes: 120, timeZone: "UTC" }] }),
      { freezeWindows: [] },
    ],
    ["a pause", "WORKSPACE_PAUSED", () => ({ paused: true }), { paused: false }],
  ] as const)(
    "for %s is judged again by the version of then, before it is offered",
    async (_name, kind, begin, end) => {
      const { workspaceId, runId, setId } = await passed();
      await scene.quick("updateWorkspace", { workspaceId, ...begin() });
      expect(await blockersOf(runId)).toContain(kind);
      await activate(scene, setId, [PASS, { ...DENY, point: "PRE_APPLY" }]);
      await judgeAll(scene);
      expect(await statusOf(scene, runId)).toBe("CONFIRMED");
      await scene.quick("updateWorkspace", { workspaceId, ...end });
      expect(await blockersOf(runId)).toEqual(["CHECK_PENDING"]);
      const query = "query ($id: ID!) { run(id: $id) { blockers { since until } } }";
      const [held] = (await scene.api.ask(query, { id: runId })).run.blockers;
      expect(Date.parse(held.until) - Date.parse(held.since)).toBe(JUDGEMENT_LIMITS.waitMs);
      await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
      await judgeAll(scene);
      expect(await statusOf(scene, runId)).toBe("REJECTED");
    },
  );

  it("without a change is not judged again", async () => {
    const { workspaceId, runId } = await passed();
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    await scene.quick("updateWorkspace", { workspaceId, paused: false });
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
    expect(await evaluationsOf(scene, runId)).toHaveLength(2);
  });

  /** A run that passed by an exception; `end` ends that. */
  async function excepted(): Promise<{ workspaceId: string; runId: string; end: () => Promise<unknown> }> {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [PASS, { ...DENY, point: "PRE_APPLY" }]);
    const id = scene.server.deps.newId("policyException");
    await scene.rows(
      `insert into policy_exception (id, organization_id, set_id, policy, rule, address_glob, workspace_ids, reason, state,
        requested_by, requester_counts_as, requested_at, expires_at, decided_by, decided_at)
       values ($1, $2, $3, 'deny', '*', '*', array[$4], 'It moves.', 'APPROVED', $5, $5, now() - interval '1 day',
        now() + interval '1 hour', $5, now())`,
      id,
      DEFAULT_ORGANIZATION_ID,
      setId,
      workspaceId,
      SYSTEM_ACTOR_ID,
    );
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await scene.run(runId, "status", "blockers")).toMatchObject({ status: "CONFIRMED", blockers: [] });
    return {
      workspaceId,
      runId,
      end: () => scene.rows("update policy_exception set expires_at = now() where id = $1", id),
    };
  }

  it("by an exception is rejected once that has ended", async () => {
    const { runId, end } = await excepted();
    await end();
    await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("REJECTED");
  });

  it("tells that it is judged again once, also where a change that blocks no other run has found it", async () => {
    const { workspaceId, runId, end } = await excepted();
    const speculative = await scene.createRun(workspaceId, { kind: "PLAN" });
    const before = await blockerEvents(runId);
    await end();
    await scene.quick("cancelRun", { runId: speculative });
    expect(await blockersOf(runId)).toEqual(["CHECK_PENDING"]);
    expect(await blockerEvents(runId)).toBe(before + 1);
    await scene.createRun(workspaceId);
    expect(await blockerEvents(runId)).toBe(before + 1);
  });
});
