/** Demands of policies that an APPLY does not repeat, since people met them in its PLAN run. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { lockForChange } from "../../../src/domain/lifecycle/locked-run.ts";
import { readPlanFindings } from "../../../src/domain/lifecycle/plan-findings.ts";
import type { Api, Data } from "../../support/api.ts";
import { attach, judgeAll, planned, statusOf } from "../../support/judged-runs.ts";
import { openScene, type Scene } from "../scene.ts";

type Person = Api & { actorId: string };

let scene: Scene;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  scene = await openScene(100, { standing: true });
  [ann, bob] = [await scene.person("APPROVER"), await scene.person("APPROVER")];
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/** A policy that demands one approval of a person among some. */
function demand(name: string, ...people: Person[]) {
  const approverIds = people.map(({ actorId }) => actorId);
  const approvers = { name, approverIds, teamIds: [], minimum: 1, excludeRequester: true };
  return { name, level: "SOFT_MANDATORY", approvers, message: `Ask ${name}.` } as const;
}

/** A PLAN run that waits for what policies, and rules of its workspace, demand. */
async function asked(policies: Parameters<typeof attach>[2], more: object = {}) {
  const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", ...more });
  await attach(scene, workspaceId, policies);
  const { runId } = await planned(scene, workspaceId, "PLAN");
  await judgeAll(scene);
  return { workspaceId, planRunId: runId };
}

const approve = (runId: string, stage: string, by: Api): Promise<Data> =>
  scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, stage }, by);

async function applied(workspaceId: string, planRunId: string): Promise<string> {
  const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
  await judgeAll(scene);
  return runId;
}

/** The names of the policies whose demands an APPLY repeats if this person requests it. */
async function repeated(runId: string, by: Person): Promise<string[]> {
  await scene.rows("update run set created_by = $2 where id = $1", runId, by.actorId);
  const { deps } = scene.server;
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null) throw new Error("There is no such run.");
    const { findings } = await readPlanFindings(tx, locked, deps.clock());
    const open = findings.filter(({ status }) => status !== "APPROVED");
    return open.map(({ policy }) => policy).toSorted();
  });
}

it("a stage that has the name of a rule is met by its own approvals", async () => {
  const approvalRules = [{ name: "dba", gate: "PLAN", kinds: ["PLAN"] }];
  const { workspaceId, planRunId } = await asked([demand("dba", ann)], { approvalRules });
  await approve(planRunId, "dba", bob);
  await approve(planRunId, "dba (2)", ann);
  expect(await statusOf(scene, planRunId)).toBe("FINISHED");
  expect(await repeated(await applied(workspaceId, planRunId), bob)).toEqual([]);
});

it("an approval that was withdrawn meets nothing", async () => {
  const { workspaceId, planRunId } = await asked([demand("dba", ann, bob), demand("security", bob)]);
  await approve(planRunId, "dba", ann);
  await scene.send("withdrawApproval", { runId: planRunId, gate: "PLAN" }, ann);
  await approve(planRunId, "dba", bob);
  await approve(planRunId, "security", bob);
  expect(await statusOf(scene, planRunId)).toBe("FINISHED");
  const runId = await applied(workspaceId, planRunId);
  expect(await repeated(runId, ann)).toEqual([]);
  // Bob requests the apply, so his approvals count no more.
  expect(await repeated(runId, bob)).toEqual(["dba", "security"]);
});
