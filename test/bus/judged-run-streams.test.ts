/** What policies and external checks find reaches listeners over real sockets, with cursors by which nothing is missed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { type CheckWork, createCheck, resultsOf, sendCheckCommand, startCheckWork } from "../support/check-steps.ts";
import { Follower } from "../support/follower.ts";
import type { InProcess } from "../support/in-process.ts";
import { activate, attach, judgeAll, planWithDocument, statusOf } from "../support/judged-runs.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../support/run-task-service.ts";

let scene: Scene;
let other: InProcess;
let service: RunTaskService;
let work: CheckWork;
beforeAll(async () => {
  scene = await openScene(1000);
  other = await scene.server.second();
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
});
afterEach(async () => {
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(service.refused).toEqual([]);
  expect(scene.server.reported).toEqual([]);
});
afterAll(async () => {
  await work[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** A run that a check and two versions of policies judge, one of them as a shadow. */
async function judgedRun(level = "SOFT_MANDATORY"): Promise<{ workspaceId: string; runId: string }> {
  const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
  const { setId } = await attach(scene, workspaceId, [{ name: "warn", level: "ADVISORY" }]);
  await activate(scene, setId, [{ name: "deny" }], 2, "SHADOW");
  await createCheck(scene.api, service, { stages: ["POST_PLAN"], level, selector: { workspaceIds: [workspaceId] } });
  return { workspaceId, runId: await scene.createRun(workspaceId) };
}

/** Reports about the newest request of a run. */
async function tell(runId: string, status: "running" | "passed" | "failed"): Promise<void> {
  const request = service.requests.findLast((one) => one.run_id === runId);
  if (request === undefined) throw new Error("The service has no request.");
  expect(await sendReport(scene.server.url, request, report(status))).toEqual({ status: 200, errors: [] });
}

/** The items of judges: their type, and the state that they name. */
const judged = (items: readonly Data[]): string[] =>
  items.flatMap(({ __typename: type, checkTo, evaluation }) => {
    if (type === "CheckChanged") return [`CheckChanged ${checkTo}`];
    return type === "PolicyEvaluated" ? [`PolicyEvaluated ${evaluation?.status}`] : [];
  });

const isChecked =
  (to: string) =>
  ({ checkTo }: Data): boolean =>
    checkTo === to;
const isEvaluated = ({ __typename }: Data): boolean => __typename === "PolicyEvaluated";

/** Versions of the events of a run, as its list has them. */
async function versionsOf(runId: string): Promise<number[]> {
  const query =
    "query ($id: ID!) { run(id: $id) { events(last: 100) { edges { node { ... on RunEvent { version } } } } } }";
  return (await scene.api.ask(query, { id: runId })).run.events.edges.map(({ node }: Data) => node.version);
}

describe("a run that is judged", () => {
  it("shows each step of its checks and policies on its own stream, and on those of its workspace and organization", async () => {
    const { workspaceId, runId } = await judgedRun();
    const own = new Follower("runEvents", runId);
    const wide = [
      new Follower("workspaceEvents", workspaceId),
      new Follower("organizationEvents", DEFAULT_ORGANIZATION_ID),
    ];
    const all = [own, ...wide];
    // Half of the listeners are at another server than the one at which everything happens.
    const ends = all.map((follower, index) => follower.connect(index % 2 === 0 ? other.api : scene.api));
    await Promise.all(all.map((follower) => follower.until(() => true)));
    await planWithDocument(await scene.claim(runId));
    await work.step();
    await tell(runId, "running");
    await judgeAll(scene);
    await tell(runId, "passed");
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    await Promise.all(all.map((follower) => follower.until(isEvaluated)));
    await Promise.all(all.map((follower) => follower.until(isChecked("PASSED"))));
    await own.until(({ to }) => to === "AWAITING_APPLY_APPROVAL");
    const [{ id: resultId }] = await resultsOf(scene.api, runId);
    for (const { items } of all) {
      const steps = items.filter((item) => item.run === undefined || item.run.id === runId);
      // Accepted, in progress, passed. A shadow decides nothing, and is no event.
      expect(judged(steps).filter((step) => !step.startsWith("PolicyEvaluated"))).toEqual([
        "CheckChanged RUNNING",
        "CheckChanged RUNNING",
        "CheckChanged PASSED",
      ]);
      expect(judged(steps).filter((step) => step.startsWith("PolicyEvaluated"))).toEqual(["PolicyEvaluated WARNED"]);
      const cursors = steps.map(({ cursor }) => cursor);
      expect(cursors.every((cursor) => typeof cursor === "string" && cursor !== "")).toBe(true);
      expect(new Set(cursors).size).toBe(cursors.length);
      expect(steps.find(isChecked("PASSED"))).toMatchObject({ result: { id: resultId, status: "PASSED" } });
    }
    await Promise.all(all.map((follower) => follower.leave()));
    await Promise.all(ends);
  });

  it("is not missed by a listener whose socket is cut: it resumes at its cursor, at another server", async () => {
    const { runId } = await judgedRun();
    const follower = new Follower("runEvents", runId);
    const first = follower.connect(scene.api);
    await follower.until(() => true);
    await planWithDocument(await scene.claim(runId));
    await work.step();
    await follower.until(isChecked("RUNNING"));
    follower.drop();
    expect(await first).toBe("dropped");
    const before = follower.items.length;
    expect(judged(follower.items)).toEqual(["CheckChanged RUNNING"]);

    // Everything that follows happens without a listener: a failure, another round, its end, and the verdict.
    await tell(runId, "failed");
    const [{ id: resultId }] = await resultsOf(scene.api, runId);
    await sendCheckCommand(scene.api, "retryExternalCheck", { resultId });
    await work.step();
    await tell(runId, "passed");
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");

    const second = follower.connect(other.api);
    await follower.until(({ to }) => to === "AWAITING_APPLY_APPROVAL");
    expect(judged(follower.items.slice(before))).toEqual([
      "CheckChanged FAILED",
      "CheckChanged PENDING",
      "CheckChanged RUNNING",
      "CheckChanged PASSED",
      "PolicyEvaluated WARNED",
    ]);
    const [snapshot] = follower.items;
    expect(follower.items.filter(({ __typename }) => __typename === "RunSnapshot")).toHaveLength(1);
    const expected = (await versionsOf(runId)).filter((version) => version > snapshot?.["run"].version);
    expect(follower.versions).toEqual(expected);
    await follower.leave();
    await second;
  });

  it("of which the check denies the plan ends its stream with why", async () => {
    const { runId } = await judgedRun("MANDATORY");
    const follower = new Follower("runEvents", runId);
    const ending = follower.connect(other.api);
    await follower.until(() => true);
    await planWithDocument(await scene.claim(runId));
    await work.step();
    await tell(runId, "failed");
    await judgeAll(scene);
    expect(await ending).toBe("completed");
    expect(judged(follower.items)).toEqual(["CheckChanged RUNNING", "CheckChanged FAILED", "PolicyEvaluated WARNED"]);
    expect(follower.items.at(-1)).toMatchObject({ __typename: "RunStatusChanged", to: "REJECTED" });
  });
});
