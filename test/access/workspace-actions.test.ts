/** Actions of a workspace: what they say beforehand is what the commands answer. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceAction } from "../../src/model/workspace/workspace-action.ts";
import type { Api, Data } from "../support/api.ts";
import { openScene, type Scene } from "../domain/scene.ts";

const ROLES = ["READER", "WRITER", "APPROVER", "ADMIN"] as const;
type Role = (typeof ROLES)[number];
type Person = Api & { actorId: string };

let scene: Scene;
const people = new Map<Role, Person>();
const by = (role: Role): Person => people.get(role) ?? expect.fail(`There is no ${role}.`);
beforeAll(async () => {
  scene = await openScene();
  for (const role of ROLES) people.set(role, await scene.login(role));
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const LOCK = { ID: "mine", Operation: "OperationTypeApply", Info: "", Who: "ann", Version: "", Created: "", Path: "" };
const RESOURCE = {
  mode: "managed",
  type: "terraform_data",
  name: "a",
  provider: 'provider["terraform.io/builtin/terraform"]',
  instances: [{ schema_version: 0, attributes: { id: "1" } }],
};
const stateOf = (serial: number, resources: object[] = []) => ({
  version: 4,
  terraform_version: "1.11.4",
  serial,
  lineage: "line",
  outputs: {},
  resources,
});

async function send(method: string, path: string, body: object, api: Api): Promise<{ ok: boolean; body: Data }> {
  const response = await fetch(`${scene.server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { ok: response.ok, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const importState = (workspaceId: string, serial: number, api: Api, resources: object[] = []) =>
  send("POST", `/workspaces/${workspaceId}/state`, stateOf(serial, resources), api);

/** What a workspace can be found in. */
const SITUATIONS: Record<string, () => Promise<string>> = {
  "nothing special": () => scene.createWorkspace(),
  "tasks allowed, and paused": async () => {
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true });
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    return workspaceId;
  },
  "locked by the writer": async () => {
    const workspaceId = await scene.createWorkspace();
    expect((await scene.send("lockWorkspace", { workspaceId }, by("WRITER"))).code).toBeUndefined();
    return workspaceId;
  },
  "locked by a writer whose lock has expired": async () => {
    const workspaceId = await scene.createWorkspace();
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 1000).toISOString();
    await scene.send("lockWorkspace", { workspaceId, expiresAt }, by("WRITER"));
    scene.server.advance(2000);
    return workspaceId;
  },
  "an interrupted apply": async () => {
    const workspaceId = await scene.createWorkspace();
    const set = "lock_reason = 'APPLY_INTERRUPTED', locked_at = now()";
    await scene.rows(`update workspace set ${set} where id = $1`, workspaceId);
    return workspaceId;
  },
  "a live run": async () => (await scene.reach("READY")).workspaceId,
  "a run at work that has the state lock": async () => {
    const { workspaceId, job } = await scene.reach("APPLYING");
    expect((await job.lockState("theirs")).status).toBe(200);
    return workspaceId;
  },
  "one state, without resources": async () => {
    const workspaceId = await scene.createWorkspace();
    expect((await importState(workspaceId, 1, scene.api)).ok).toBe(true);
    return workspaceId;
  },
  "two states, with a resource": async () => {
    const workspaceId = await scene.createWorkspace();
    expect((await importState(workspaceId, 1, scene.api)).ok).toBe(true);
    expect((await importState(workspaceId, 2, scene.api, [RESOURCE])).ok).toBe(true);
    return workspaceId;
  },
  "a person's lock on the state": async () => {
    const name = `w-${randomUUID()}`;
    const workspaceId = await scene.createWorkspace({ name });
    expect((await send("LOCK", `/state/default/${name}`, LOCK, scene.api)).ok).toBe(true);
    return workspaceId;
  },
};

const serialOf = async (workspaceId: string): Promise<number> =>
  (await scene.rows("select state_serial as serial from workspace where id = $1", workspaceId))[0].serial;

/** Sends the command of an action; gives its user error, null if it succeeded. */
type Command = (workspaceId: string, api: Api) => Promise<{ code: string; message: string } | null>;

const mutation =
  (name: Parameters<Scene["send"]>[0], input: object = {}): Command =>
  async (workspaceId, api) => {
    const { code, message } = await scene.send(name, { workspaceId, ...input }, api);
    return code === undefined ? null : { code, message };
  };

const COMMANDS: Record<WorkspaceAction, Command> = {
  CREATE_RUN: mutation("createRun"),
  CREATE_PLAN: mutation("createRun", { kind: "PLAN" }),
  CREATE_DESTROY: mutation("createRun", { kind: "DESTROY" }),
  CREATE_TASK: mutation("createRun", { kind: "TASK", command: "true" }),
  CREATE_UNLOCK: mutation("createRun", { kind: "UNLOCK" }),
  PAUSE: mutation("updateWorkspace", { paused: true }),
  RESUME: mutation("updateWorkspace", { paused: false }),
  LOCK: mutation("lockWorkspace"),
  UNLOCK: mutation("unlockWorkspace"),
  FORCE_UNLOCK: mutation("unlockWorkspace", { force: true }),
  UPDATE: mutation("updateWorkspace", { description: "another" }),
  UPDATE_GATES: mutation("updateWorkspace", { autoApply: "NEVER" }),
  UPDATE_HOOKS: mutation("updateWorkspace", { hooks: [] }),
  UPDATE_RUNNER: mutation("updateWorkspace", { runnerLabels: [] }),
  SET_VARIABLE: mutation("setVariable", { key: "a", value: "b" }),
  IMPORT_STATE: async (workspaceId, api) => {
    const { ok, body } = await importState(workspaceId, (await serialOf(workspaceId)) + 1, api);
    return ok ? null : body;
  },
  ROLLBACK_STATE: async (workspaceId, api) => {
    const [row] = await scene.rows("select id from state_version where workspace_id = $1 order by serial", workspaceId);
    return mutation("rollbackState", { stateVersionId: row?.id ?? "" })(workspaceId, api);
  },
  FORCE_UNLOCK_STATE: async (workspaceId, api) => {
    const [row] = await scene.rows("select lock_id as id from state_lock where workspace_id = $1", workspaceId);
    return mutation("forceUnlockState", { lockId: row?.id ?? "" })(workspaceId, api);
  },
  DELETE: mutation("deleteWorkspace"),
};

const actionsOf = async (workspaceId: string, api: Api): Promise<Data[]> => {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { actions { action allowed code reason } } }`;
  return (await api.ask(query, { id: workspaceId })).workspace.actions;
};

describe.each(Object.entries(SITUATIONS))("a workspace with %s", (_name, reach) => {
  it("refuses each role what its actions say, in the same words", async () => {
    const workspaceId = await reach();
    for (const role of ROLES) {
      const actions = await actionsOf(workspaceId, by(role));
      expect(actions.map(({ action }) => action)).toEqual(Object.keys(COMMANDS));
      for (const { action, allowed, code, reason } of actions) {
        if (allowed) expect([action, code, reason]).toEqual([action, null, null]);
        if (allowed || code === null) continue;
        const command = COMMANDS[action as WorkspaceAction];
        const refusal = await command(workspaceId, by(role));
        expect([role, action, refusal?.code]).toEqual([role, action, code]);
        if (code !== "FORBIDDEN") expect(refusal?.message).toBe(reason);
      }
    }
  });

  it("takes from the least role that may what its actions allow", async () => {
    const taken = new Set<string>();
    let workspaceId = await reach();
    for (const role of ROLES) {
      for (const { action, allowed } of await actionsOf(workspaceId, by(role))) {
        if (!allowed || taken.has(action)) continue;
        taken.add(action);
        const command = COMMANDS[action as WorkspaceAction];
        expect([role, action, await command(workspaceId, by(role))]).toEqual([role, action, null]);
        workspaceId = await reach();
      }
    }
    expect(taken.has("UPDATE")).toBe(true);
  });
});

it("an action that has nothing to do says so, without an error", async () => {
  const workspaceId = await scene.createWorkspace();
  const idle = (await actionsOf(workspaceId, scene.api)).filter(({ allowed, code }) => !allowed && code === null);
  expect(idle.map(({ action, reason }) => [action, reason])).toEqual([
    ["RESUME", "The workspace is not paused."],
    ["UNLOCK", "The workspace is not locked."],
    ["FORCE_UNLOCK", "The workspace is not locked."],
    ["ROLLBACK_STATE", "The state has no older version."],
    ["FORCE_UNLOCK_STATE", "The state is not locked."],
  ]);
});

it("of a workspace that was deleted there are none", async () => {
  const workspaceId = await scene.createWorkspace();
  await scene.send("deleteWorkspace", { workspaceId });
  expect(await scene.server.domain.workspaceActions(await callerOf(scene.api), [workspaceId])).toEqual([[]]);
});

async function callerOf({ token }: Api) {
  return (await scene.server.domain.authenticate(token)) ?? expect.fail("The token is not valid.");
}
