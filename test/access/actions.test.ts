/** An action of a run or a workspace is refused for lack of rights exactly if the caller lacks what its command takes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PERMISSIONS, type Permission } from "../../src/model/people/permission-set.ts";
import type { Data } from "../support/api.ts";
import { allBut } from "./callers.ts";
import { closureOf } from "./principals.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";

/** For a run of kind DEPLOY at its plan gate; written apart from the code that offers them. */
const OF_RUNS: Readonly<Record<string, readonly Permission[]>> = {
  APPROVE_PLAN: ["PLAN_APPROVE"],
  APPROVE_APPLY: ["APPLY_APPROVE"],
  OVERRIDE_POLICIES: ["PLAN_APPROVE"],
  WITHDRAW_APPROVAL: ["PLAN_APPROVE"],
  REJECT: ["PLAN_APPROVE"],
  DISCARD: ["RUN_DISCARD"],
  REPLAN: ["RUN_DEPLOY"],
  CANCEL: ["RUN_CANCEL"],
  STOP: ["RUN_CANCEL"],
  FORCE_STOP: ["RUN_CANCEL", "RUN_FORCE_STOP"],
  RETRY: ["RUN_DEPLOY"],
  PROMOTE: ["RUN_DEPLOY"],
  ROLLBACK: ["RUN_DEPLOY"],
};

const OF_WORKSPACES: Readonly<Record<string, readonly Permission[]>> = {
  CREATE_RUN: ["RUN_DEPLOY"],
  CREATE_PLAN: ["RUN_PLAN"],
  CREATE_DESTROY: ["RUN_DESTROY"],
  CREATE_TASK: ["RUN_TASK"],
  CREATE_UNLOCK: ["RUN_DEPLOY", "WORKSPACE_FORCE_UNLOCK"],
  PAUSE: ["WORKSPACE_UPDATE"],
  RESUME: ["WORKSPACE_UPDATE"],
  LOCK: ["WORKSPACE_LOCK"],
  UNLOCK: ["WORKSPACE_LOCK"],
  FORCE_UNLOCK: ["WORKSPACE_LOCK", "WORKSPACE_FORCE_UNLOCK"],
  UPDATE: ["WORKSPACE_UPDATE"],
  UPDATE_GATES: ["WORKSPACE_UPDATE", "GATE_WRITE"],
  UPDATE_HOOKS: ["WORKSPACE_UPDATE", "HOOK_WRITE"],
  UPDATE_RUNNER: ["WORKSPACE_UPDATE", "RUNNER_CHOOSE"],
  SET_VARIABLE: ["VARIABLE_WRITE"],
  IMPORT_STATE: ["STATE_WRITE"],
  ROLLBACK_STATE: ["STATE_ROLLBACK"],
  FORCE_UNLOCK_STATE: ["STATE_LOCK_FORCE"],
  DELETE: ["WORKSPACE_DELETE"],
};

let walk: WalkScene;
beforeAll(async () => {
  walk = await openWalkScene();
});
afterAll(() => walk[Symbol.asyncDispose]());

it("is refused to callers with one permission, and with all but one, by what its command takes", async () => {
  const { workspaceId, runId } = await walk.scene.reach("AWAITING_PLAN_APPROVAL");
  const query = `query ($runId: ID!, $workspaceId: ID!) { run(id: $runId) { actions { action code } }
    workspace(by: { id: $workspaceId }) { actions { action code } } }`;
  const needed = new Set([OF_RUNS, OF_WORKSPACES].flatMap((table) => Object.values(table).flat()));
  const sights: readonly Permission[] = closureOf(["RUN_READ", "WORKSPACE_READ"]);
  const sets = [...needed].flatMap((one) => [[...sights, ...closureOf([one])], allBut(one)]);
  const refused = (actions: Data[]) => actions.filter(({ code }) => code === "FORBIDDEN").map(({ action }) => action);
  const lacked = (table: typeof OF_RUNS, held: readonly Permission[]) =>
    Object.keys(table).filter((action) => !(table[action] ?? PERMISSIONS).every((one) => held.includes(one)));
  for (const held of sets) {
    const { run, workspace } = await (await walk.having(held)).ask(query, { runId, workspaceId });
    expect(run.actions.map((one: Data) => one.action)).toEqual(Object.keys(OF_RUNS));
    expect(workspace.actions.map((one: Data) => one.action)).toEqual(Object.keys(OF_WORKSPACES));
    expect(refused(run.actions), held.join()).toEqual(lacked(OF_RUNS, held));
    expect(refused(workspace.actions), held.join()).toEqual(lacked(OF_WORKSPACES, held));
  }
}, 60_000);
