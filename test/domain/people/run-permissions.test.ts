/** Permissions of the kinds of runs and of the gates: each allows its own commands, and the actions say the same. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Permission } from "../../../src/model/people/permission-set.ts";
import type { RunKind } from "../../../src/model/lifecycle/run-kind.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import type { Api, Data } from "../../support/api.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const KINDS = ["PLAN", "DEPLOY", "DESTROY", "TASK", "UNLOCK"] as const satisfies readonly RunKind[];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function send(name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const answer = (await scene.api.ask(document, { input }))[name];
  expect(answer.code, answer.message).toBeUndefined();
  return answer;
}

/** A user with one role on the organization and no other. */
async function userWith(roleId: string): Promise<Api> {
  const user = await scene.login("ADMIN", { actor: "USER" });
  const [grant] = await scene.rows("select id from access_grant where principal_id = $1", user.actorId);
  await send("revokeGrant", { grantId: grant.id }, "revokedId");
  await send("createGrant", { principalId: user.actorId, roleId, scopeId: organizationId }, "grant { id }");
  return user;
}

async function userWithOnly(...permissions: Permission[]): Promise<Api> {
  const all = ["WORKSPACE_READ", "RUN_READ", ...permissions];
  const { role } = await send(
    "createRole",
    { organizationId, name: `r-${randomUUID()}`, permissions: all },
    "role { id }",
  );
  return userWith(role.id);
}

const inputOf = (kind: RunKind) => ({ kind, ...(kind === "TASK" && { command: "true" }) });
const tasks = () => scene.createWorkspace({ tasksAllowed: true });
const create = async (kind: RunKind, by: Api, workspaceId: string): Promise<Data> =>
  scene.send("createRun", { workspaceId, ...inputOf(kind) }, by);
const workspaceActions = async (id: string, by: Api): Promise<Data[]> =>
  (await by.ask("query ($id: ID!) { workspace(by: { id: $id }) { actions { action allowed code reason } } }", { id }))
    .workspace.actions;
const runActions = async (id: string, by: Api): Promise<Data[]> =>
  (await by.ask("query ($id: ID!) { run(id: $id) { actions { action allowed code reason } } }", { id })).run.actions;
const allowedOf = (actions: Data[]): string[] => actions.flatMap(({ action, allowed }) => (allowed ? [action] : []));

describe("a kind of run", () => {
  it.each(
    walk(
      [
        ["RUN_PLAN", ["PLAN"], ["CREATE_PLAN"]],
        ["RUN_DEPLOY", ["DEPLOY"], ["CREATE_RUN"]],
        ["RUN_DESTROY", ["DESTROY"], ["CREATE_DESTROY"]],
        ["RUN_TASK", ["TASK"], ["CREATE_TASK"]],
      ] as const,
      2,
    ),
  )("takes %s alone: %s", async (permission, kinds, actions) => {
    const user = await userWithOnly(permission);
    const workspaceId = await tasks();
    const shown = await workspaceActions(workspaceId, user);
    expect(allowedOf(shown).filter((action) => action.startsWith("CREATE_"))).toEqual(actions);
    for (const kind of KINDS) {
      const { code, message, run } = await create(kind, user, workspaceId);
      const isAllowed = kinds.some((each) => each === kind);
      expect([kind, code]).toEqual([kind, isAllowed ? undefined : "FORBIDDEN"]);
      if (isAllowed) expect(run.kind).toBe(kind);
      else
        expect(message).toMatch(/^Your rights do not allow .* here\. It needs the permission [A-Z_]+, as in the role/);
    }
  });

  it("UNLOCK takes RUN_DEPLOY, and the permission to break locks", async () => {
    const workspaceId = await scene.createWorkspace();
    const breaker = await userWithOnly("WORKSPACE_FORCE_UNLOCK");
    expect((await create("UNLOCK", breaker, workspaceId)).message).toContain("RUN_DEPLOY");
    const both = await userWithOnly("WORKSPACE_FORCE_UNLOCK", "RUN_DEPLOY");
    expect((await create("UNLOCK", both, workspaceId)).run.kind).toBe("UNLOCK");
  });

  it("APPLY takes RUN_DEPLOY: a planner cannot apply what it planned", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId);
    const input = { workspaceId, kind: "APPLY", planRunId };
    const planner = await userWithOnly("RUN_PLAN");
    expect(await scene.send("createRun", input, planner)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.send("createRun", input, await userWithOnly("RUN_DEPLOY"))).run.kind).toBe("APPLY");
  });

  it("decides about a retry, a priority and another plan of a run", async () => {
    const planner = await userWithOnly("RUN_PLAN");
    const deployer = await userWithOnly("RUN_DEPLOY");
    for (const [kind, mine, other] of [
      ["PLAN", planner, deployer],
      ["DEPLOY", deployer, planner],
    ] as const) {
      const ended = await scene.reach("CANCELED", kind);
      expect(await scene.send("retryRun", { runId: ended.runId }, other)).toMatchObject({ code: "FORBIDDEN" });
      expect(allowedOf(await runActions(ended.runId, other))).not.toContain("RETRY");
      expect(allowedOf(await runActions(ended.runId, mine))).toContain("RETRY");
      const again = await scene.send("retryRun", { runId: ended.runId }, mine);
      expect(again.run.kind).toBe(kind);
      const runId = again.run.id;
      expect(await scene.send("prioritizeRun", { runId, priority: 1 }, other)).toMatchObject({ code: "FORBIDDEN" });
      expect((await scene.send("prioritizeRun", { runId, priority: 1 }, mine)).run.priority).toBe(1);
    }
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(await scene.send("replanRun", { runId, planVersion: 1 }, planner)).toMatchObject({ code: "FORBIDDEN" });
    expect(allowedOf(await runActions(runId, planner))).toEqual([]);
    expect(allowedOf(await runActions(runId, deployer))).toContain("REPLAN");
    expect((await scene.send("replanRun", { runId, planVersion: 1 }, deployer)).run.status).toBe("REPLAN_REQUESTED");
  });

  it("of a promotion and of a rollback is DEPLOY", async () => {
    const planner = await userWithOnly("RUN_PLAN");
    const planRunId = await scene.plan(await scene.createWorkspace());
    expect(await scene.send("promoteRun", { runId: planRunId }, planner)).toMatchObject({ code: "FORBIDDEN" });
    expect(allowedOf(await runActions(planRunId, planner))).toEqual(["RETRY"]);
    const { runId } = await scene.reach("FINISHED");
    expect(await scene.send("rollbackRun", { runId }, planner)).toMatchObject({ code: "FORBIDDEN" });
    const deployer = await userWithOnly("RUN_DEPLOY");
    expect((await scene.send("promoteRun", { runId: planRunId }, deployer)).run.kind).toBe("DEPLOY");
    expect((await scene.send("rollbackRun", { runId }, deployer)).run.kind).toBe("DEPLOY");
  });
});

describe("the role PLANNER", () => {
  it("plans and never deploys", async () => {
    const planner = await userWith(builtInRoleId("PLANNER"));
    const workspaceId = await tasks();
    const results = await Promise.all(
      KINDS.map(async (kind) => [kind, (await create(kind, planner, workspaceId)).code]),
    );
    expect(results).toEqual([
      ["PLAN", undefined],
      ...["DEPLOY", "DESTROY", "TASK", "UNLOCK"].map((kind) => [kind, "FORBIDDEN"]),
    ]);
    expect(allowedOf(await workspaceActions(workspaceId, planner))).toEqual(["CREATE_PLAN"]);
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(allowedOf(await runActions(runId, planner))).toEqual([]);
  });
});

describe("a gate", () => {
  it("takes its own permission: to approve, to reject, to withdraw, and to discard what was approved", async () => {
    const [first, second] = [await userWithOnly("PLAN_APPROVE"), await userWithOnly("APPLY_APPROVE", "RUN_DISCARD")];
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const approve = (gate: "APPLY" | "PLAN", by: Api) => scene.send("approveRun", { runId, gate, planVersion: 1 }, by);
    const withdraw = (gate: "APPLY" | "PLAN", by: Api) => scene.send("withdrawApproval", { runId, gate }, by);
    const named = async (by: Api): Promise<string[]> =>
      (
        await by.ask("query ($id: ID!) { run(id: $id) { approvalRequirements { gate eligibleActors { id } } } }", {
          id: runId,
        })
      ).run.approvalRequirements.flatMap(({ gate, eligibleActors }: Data) =>
        eligibleActors.some(({ id }: Data) => id === Reflect.get(by, "actorId")) ? [gate] : [],
      );
    expect([await named(first), await named(second)]).toEqual([["PLAN"], ["APPLY"]]);
    expect(allowedOf(await runActions(runId, first))).toEqual(["APPROVE_PLAN", "REJECT"]);
    expect(allowedOf(await runActions(runId, second))).toEqual(["DISCARD"]);
    const refusal = await approve("PLAN", second);
    expect(refusal).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("PLAN_APPROVE") });
    expect(await scene.send("rejectRun", { runId, planVersion: 1 }, second)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve("PLAN", first)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect(await approve("APPLY", first)).toMatchObject({ code: "FORBIDDEN" });
    expect(allowedOf(await runActions(runId, second))).toEqual(["APPROVE_APPLY", "DISCARD"]);
    expect((await approve("APPLY", second)).run.status).toBe("CONFIRMED");
    expect(await withdraw("APPLY", first)).toMatchObject({ code: "FORBIDDEN" });
    expect(allowedOf(await runActions(runId, second))).toEqual(["WITHDRAW_APPROVAL", "DISCARD"]);
    expect((await withdraw("APPLY", second)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    await approve("APPLY", second);
    const discarder = await userWithOnly("RUN_DISCARD", "PLAN_APPROVE");
    expect(allowedOf(await runActions(runId, discarder))).toEqual([]);
    expect(await scene.send("discardRun", { runId }, discarder)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.send("discardRun", { runId }, second)).run.status).toBe("DISCARDED");
  });

  it("is asked for with each run of a bulk operation", async () => {
    const bulk = (input: object, by: Api): Promise<Data> =>
      by
        .ask(
          `mutation ($input: BulkRunActionInput!) { bulkRunAction(input: $input) { __typename
          ... on BulkRunActionSuccess { operation { id } } ... on UserError { code message } } }`,
          { input },
        )
        .then(({ bulkRunAction }) => bulkRunAction);
    const { workspaceId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const planner = await userWithOnly("RUN_PLAN");
    const filter = { workspaceId };
    expect(await bulk({ filter, action: "APPROVE", gate: "PLAN" }, planner)).toMatchObject({ code: "FORBIDDEN" });
    expect(await bulk({ filter, action: "RETRY" }, planner)).toMatchObject({ __typename: "BulkRunActionSuccess" });
    const reader = await userWithOnly();
    expect(await bulk({ filter, action: "RETRY" }, reader)).toMatchObject({ code: "FORBIDDEN" });
    const applier = await userWithOnly("APPLY_APPROVE");
    expect(await bulk({ filter, action: "APPROVE", gate: "APPLY" }, applier)).toMatchObject({
      __typename: "BulkRunActionSuccess",
    });
  });
});
