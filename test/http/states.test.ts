import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";
import { watch } from "../support/watchers.ts";

let scene: Scene;
let tokens: Record<"READER" | "WRITER" | "ADMIN" | "OTHER", string>;
let names: Record<string, string>;
beforeAll(async () => {
  scene = await openScene();
  const token = async (role: string, name: string): Promise<string> => (await scene.login(role, { name })).token;
  tokens = {
    READER: await token("READER", "rea"),
    WRITER: await token("WRITER", "wri"),
    OTHER: await token("ADMIN", "otto"),
    ADMIN: scene.api.token,
  };
  names = {};
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

interface Answer {
  status: number;
  headers: Headers;
  body: Data;
}
type Who = keyof typeof tokens;

async function call(method: string, path: string, who: Who | null, body?: unknown, headers = {}): Promise<Answer> {
  const basic = who === null ? {} : { authorization: `Basic ${btoa(`user:${tokens[who]}`)}` };
  const text = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await fetch(`${scene.server.url}${path}`, { method, headers: { ...basic, ...headers }, ...text });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: answer === "" ? null : JSON.parse(answer) };
}

/** A workspace and the address of its state. */
async function place(input: object = {}): Promise<{ id: string; path: string }> {
  const name = `s${Object.keys(names).length}`;
  const id = await scene.createWorkspace({ name, ...input });
  names[id] = name;
  return { id, path: `/state/default/${name}` };
}

const lock = (ID: string, Operation = "OperationTypeApply") => ({ ID, Operation, Who: "me@laptop", Version: "1.11.4" });
const resource = (name: string, attributes: object) => ({
  mode: "managed",
  type: "terraform_data",
  name,
  provider: 'provider["terraform.io/builtin/terraform"]',
  instances: [{ attributes, sensitive_attributes: [] }],
});
const state = (serial: number, more: object = {}) => ({
  version: 4,
  serial,
  lineage: "line",
  outputs: {},
  resources: [],
  ...more,
});

/** Writes states as an admin does from a laptop; gives the ids of the versions. */
async function write(path: string, ...states: Data[]): Promise<void> {
  await call("LOCK", path, "ADMIN", lock("w"));
  for (const each of states) {
    expect(await call("POST", `${path}?ID=w`, "ADMIN", each)).toMatchObject({ status: 200 });
  }
  expect(await call("UNLOCK", path, "ADMIN", lock("w"))).toMatchObject({ status: 200 });
}

const VERSION = `id serial lineage isCurrent size digest resourceCount run { id } actor { name } outputs { name value }
  readings { way actor { name } credentialId }`;
async function versions(id: string, page = "first: 10"): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { currentStateVersion { serial }
    stateVersions(${page}) { edges { node { ${VERSION} } } } } }`;
  const { workspace } = await scene.api.ask(query, { id });
  const found = workspace.stateVersions.edges.map(({ node }: Data) => node);
  const [first] = found;
  if (page === "first: 10") expect(workspace.currentStateVersion?.serial).toBe(first?.serial);
  return found;
}

async function stateLock(id: string): Promise<Data> {
  const query =
    "query ($id: ID!) { workspace(by: { id: $id }) { stateLock { id who operation actor { name } run { id } } } }";
  return (await scene.api.ask(query, { id })).workspace.stateLock;
}

describe("the backend of a person's own engine", () => {
  it("asks for a token, and reveals nothing that may not be read", async () => {
    const { path } = await place();
    const anonymous = await call("GET", path, null);
    expect(anonymous).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(anonymous.headers.get("www-authenticate")).toBe('Basic realm="Holdpoint"');
    expect((await call("GET", path, "WRITER")).status).toBe(204);
    const bearer = { authorization: `Bearer ${tokens.WRITER}` };
    expect((await call("GET", path, null, undefined, bearer)).status).toBe(204);
    expect(await call("GET", path, "READER")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    for (const missing of ["/state/default/nothing", "/state/none/s0", "/state/default/%00"]) {
      expect((await call("GET", missing, "ADMIN")).status).toBe(404);
      expect((await call("LOCK", missing, "ADMIN", lock("x"))).status).toBe(404);
    }
    const wrong = await call("DELETE", path, "ADMIN");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, POST, LOCK, UNLOCK, OPTIONS"]);
  });

  it("stores a state under its lock, as a version of its sender", async () => {
    const { id, path } = await place();
    expect((await call("LOCK", path, "OTHER", lock("one"))).status).toBe(200);
    expect((await call("LOCK", path, "OTHER", lock("one"))).status).toBe(200);
    const held = {
      id: "one",
      who: "otto (me@laptop)",
      operation: "OperationTypeApply",
      actor: { name: "otto" },
      run: null,
    };
    expect(await stateLock(id)).toEqual(held);
    const sent = state(1, { outputs: { o: { value: "shown", type: "string" } }, resources: [resource("a", {})] });
    expect((await call("POST", `${path}?ID=one`, "OTHER", sent)).status).toBe(200);
    expect((await call("POST", `${path}?ID=one`, "OTHER", sent)).status).toBe(200);
    expect((await call("POST", `${path}?ID=one`, "OTHER", state(4))).status).toBe(200);
    for (const refused of [state(4, { resources: [resource("b", {})] }), state(3), state(9, { lineage: "another" })]) {
      const answer = await call("POST", `${path}?ID=one`, "OTHER", refused);
      expect(answer).toMatchObject({ status: 409, body: { code: "STATE_REFUSED" } });
    }
    expect((await call("UNLOCK", path, "OTHER", lock("one"))).status).toBe(200);
    expect((await call("UNLOCK", path, "OTHER", lock("one"))).status).toBe(200);
    expect(await stateLock(id)).toBeNull();
    expect((await call("GET", path, "WRITER")).body).toEqual(state(4));
    const [newest, first] = await versions(id);
    const author = { actor: { name: "otto" }, run: null, lineage: "line" };
    expect(first).toMatchObject({
      ...author,
      serial: 1,
      isCurrent: false,
      resourceCount: 1,
      outputs: [{ name: "o", value: "shown" }],
    });
    expect(newest).toMatchObject({ ...author, serial: 4, isCurrent: true, resourceCount: 0, outputs: [] });
    expect(newest?.digest).toBe(
      createHash("sha256")
        .update(JSON.stringify(state(4)))
        .digest("hex"),
    );
    expect(newest?.readings).toEqual([
      { way: "BACKEND", actor: { name: "wri" }, credentialId: expect.stringMatching(/^tok_/) },
    ]);
    const events = await scene.rows(
      "select fields, actor_id from workspace_event where workspace_id = $1 order by id",
      id,
    );
    const moved = ["outputs", "currentStateVersion", "stateVersions"];
    const fields = [["created"], ["stateLock"], moved, moved, ["stateLock"]];
    expect(events.map((event) => event["fields"])).toEqual(fields);
  });

  it("takes nothing without the lock, nor what is no state", async () => {
    const { id, path } = await place();
    const unlocked = await call("POST", path, "ADMIN", state(1));
    expect(unlocked).toMatchObject({ status: 409, body: { code: "STATE_REFUSED", message: /-lock=false/ } });
    await call("LOCK", path, "OTHER", lock("theirs"));
    for (const query of ["", "?ID=theirs", "?ID=mine"]) {
      const answer = await call("POST", `${path}${query}`, "ADMIN", state(1));
      expect(answer).toMatchObject({ status: 423, body: { HolderID: "theirs", Who: "otto (me@laptop)" } });
    }
    expect((await call("POST", `${path}?ID=x`, "OTHER", state(1))).status).toBe(423);
    // Whose engine has it could not store what it makes.
    expect(await scene.send("deleteWorkspace", { workspaceId: id, force: true })).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["workspaceId"], message: expect.stringContaining("otto (me@laptop)") }],
    });
    const md5 = { "content-md5": createHash("md5").update("other").digest("base64") };
    // It is parsed in another thread.
    const large = { check_results: ["x".repeat(LIMITS.stateInlineBytes)] };
    const broken: [unknown, object][] = [
      [state(1), md5],
      ["{", {}],
      [{ version: 3 }, {}],
      [state(-1), {}],
      [state(-1, large), {}],
    ];
    for (const [body, headers] of broken) {
      const answer = await call("POST", `${path}?ID=theirs`, "OTHER", body, headers);
      expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    }
    const right = {
      "content-md5": createHash("md5")
        .update(JSON.stringify(state(1, large)))
        .digest("base64"),
    };
    expect((await call("POST", `${path}?ID=theirs`, "OTHER", state(1, large), right)).status).toBe(200);
    for (const body of ["", "{", "{}", '{"ID":""}']) expect((await call("LOCK", path, "ADMIN", body)).status).toBe(400);
    expect(await versions(id)).toHaveLength(1);
  });

  it("lets writers plan, and names who is in the way; breaking a lock is a right of its own", async () => {
    const { id, path } = await place();
    const plan = lock("plan", "OperationTypePlan");
    expect((await call("LOCK", path, "READER", plan)).status).toBe(403);
    // The lock of an apply that could not store its state afterwards.
    expect(await call("LOCK", path, "WRITER", lock("apply"))).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect((await call("POST", `${path}/lock`, "WRITER", plan)).status).toBe(200);
    expect(await call("LOCK", path, "ADMIN", lock("second"))).toMatchObject({
      status: 423,
      body: { ID: "plan (held by wri (me@laptop), OperationTypePlan)", HolderID: "plan", Who: "wri (me@laptop)" },
    });
    expect((await call("POST", `${path}?ID=plan`, "WRITER", state(1))).status).toBe(403);
    expect(await call("UNLOCK", path, "ADMIN", lock("second"))).toMatchObject({
      status: 409,
      body: { HolderID: "plan" },
    });
    expect((await call("DELETE", `${path}/lock`, "WRITER", plan)).status).toBe(200);

    // An engine that breaks a lock names none.
    await call("LOCK", path, "ADMIN", lock("left"));
    expect((await call("UNLOCK", path, "WRITER")).status).toBe(403);
    expect((await call("UNLOCK", path, "WRITER", lock("left"))).status).toBe(403);
    expect((await stateLock(id)).id).toBe("left");
    expect((await call("UNLOCK", path, "OTHER")).status).toBe(200);
    await call("LOCK", path, "WRITER", plan);
    expect((await call("UNLOCK", path, "WRITER")).status).toBe(200);
    expect(await stateLock(id)).toBeNull();
    const refused = await scene.rows("select command, code from rejected_command where subject_id = $1", id);
    expect(refused).toContainEqual({ command: "unlockState", code: "FORBIDDEN" });

    await call("LOCK", path, "WRITER", plan);
    const writer = await scene.login("WRITER");
    const input = { workspaceId: id, lockId: "plan" };
    expect(await scene.send("forceUnlockState", input, writer)).toMatchObject({ code: "FORBIDDEN" });
    const other = await scene.send("forceUnlockState", { ...input, lockId: "another" });
    expect(other).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["lockId"] }] });
    expect(await scene.send("forceUnlockState", input)).toMatchObject({ workspace: { stateLock: null } });
  });

  it("respects a person's lock of the workspace, but for plans and work that was done already", async () => {
    const { id, path } = await place();
    await call("LOCK", path, "OTHER", lock("before"));
    await scene.quick("lockWorkspace", { workspaceId: id, note: "migration" });
    expect((await call("POST", `${path}?ID=before`, "OTHER", state(1))).status).toBe(200);
    await call("UNLOCK", path, "OTHER", lock("before"));
    const answer = await call("LOCK", path, "OTHER", lock("after"));
    expect(answer).toMatchObject({ status: 423, body: { HolderID: id, Who: "admin", Info: "migration" } });
    expect((await call("LOCK", path, "OTHER", lock("plan", "OperationTypePlan"))).status).toBe(200);
    await call("UNLOCK", path, "OTHER", lock("plan"));
    expect((await call("LOCK", path, "ADMIN", lock("own"))).status).toBe(200);
    // A state that is brought otherwise would be lost under the one that comes from there.
    const headers = { authorization: `Bearer ${tokens.ADMIN}`, "content-type": "application/json" };
    const brought = await call("POST", `/workspaces/${id}/state`, null, state(2), headers);
    const text = "The state is locked by admin (me@laptop). Release the lock, then import the state.";
    expect(brought).toMatchObject({ status: 423, body: { message: text } });
    const others = { ...headers, authorization: `Bearer ${tokens.OTHER}` };
    expect(await call("POST", `/workspaces/${id}/state`, null, state(2), others)).toMatchObject({
      status: 423,
      body: {
        message: expect.stringMatching(/ locked by admin since \S+: "migration"\. Unlock it, then import the state\.$/),
      },
    });
  });
});

describe("people and runs", () => {
  it("meet each other's locks by name, and no one breaks that of a run at work", async () => {
    const { workspaceId, job, runId } = await scene.reach("PREPARING");
    const { name } = await scene.workspace(workspaceId);
    const path = `/state/default/${name}`;
    await job.lockState("theirs");
    const { number } = await scene.run(runId, "number");
    expect(await call("LOCK", path, "ADMIN", lock("mine"))).toMatchObject({
      status: 423,
      body: { HolderID: "theirs", Who: `run ${number} of Holdpoint (fake)` },
    });
    expect(await call("UNLOCK", path, "ADMIN")).toMatchObject({ status: 409, body: { code: "RUN_STATE_CONFLICT" } });
    const forced = await scene.send("forceUnlockState", { workspaceId, lockId: "theirs" });
    expect(forced).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId } });
    await job.unlockState("theirs");
    await call("LOCK", path, "ADMIN", lock("mine"));
    expect(await job.lockState("theirs")).toMatchObject({
      status: 423,
      body: { ID: "mine", Who: "admin (me@laptop)" },
    });
    expect((await job.unlockState("mine")).status).toBe(409);
    expect((await stateLock(workspaceId)).id).toBe("mine");
    // An unlock of the workspace by force is about what an interrupted apply left, and a person's lock is not that.
    await scene.rows(
      "update workspace set lock_reason = 'APPLY_INTERRUPTED', locked_at = now() where id = $1",
      workspaceId,
    );
    await scene.send("unlockWorkspace", { workspaceId, force: true });
    expect((await stateLock(workspaceId)).id).toBe("mine");
  });

  it("a state that a person brings ends what was planned from the one before", async () => {
    const [waiting, confirmed] = [await scene.reach("AWAITING_APPLY_APPROVAL"), await scene.reach("CONFIRMED")];
    for (const { workspaceId } of [waiting, confirmed]) {
      await write(`/state/default/${(await scene.workspace(workspaceId)).name}`, state(1));
    }
    expect(await scene.run(waiting.runId, "status", "reason")).toMatchObject({
      status: "DISCARDED",
      reason: "The state moved to serial 1 after the plan was made.",
    });
    await expect(scene.claim(confirmed.runId)).rejects.toThrow();
    expect(await scene.run(confirmed.runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_STALE" },
    });
    const planning = await scene.reach("PREPARING");
    await write(`/state/default/${(await scene.workspace(planning.workspaceId)).name}`, state(1));
    await planning.job.plan();
    expect(await scene.run(planning.runId, "status", "reason", "plan")).toMatchObject({
      status: "DISCARDED",
      reason: "The state moved to serial 1 after the plan was made.",
      plan: { version: 1 },
    });
  });
});

describe("versions of a state", () => {
  it("show their resources in pages, by a part of the address, with what each depends on", async () => {
    const { id, path } = await place();
    const of = (name: string, more: object = {}) => ({ ...resource(name, {}), ...more });
    const dependent = [{ attributes: {}, sensitive_attributes: [], dependencies: ["module.net.terraform_data.a", 7] }];
    const resources = [
      of("a", { module: "module.net" }),
      of("seen", { mode: "data" }),
      of("b", { instances: dependent }),
      of("c", { module: "module.net" }),
      of("d"),
    ];
    await write(path, state(1, { resources }));
    const [version] = await versions(id);
    const query = `query ($id: ID!, $search: String, $first: Int, $after: String) { node(id: $id) { ... on StateVersion {
      resources(search: $search, first: $first, after: $after) { totalCount
        nodes { address dependsOn } pageInfo { hasNextPage hasPreviousPage endCursor } } } } }`;
    const read = async (variables: object): Promise<Data> =>
      (await scene.api.ask(query, { id: version?.id, ...variables })).node.resources;
    const addresses = ({ nodes }: Data) => nodes.map(({ address }: Data) => address);
    const first = await read({ first: 2 });
    expect(addresses(first)).toEqual(["module.net.terraform_data.a", "terraform_data.b"]);
    expect(first.nodes.map(({ dependsOn }: Data) => dependsOn)).toEqual([[], ["module.net.terraform_data.a"]]);
    expect([first.totalCount, first.pageInfo.hasNextPage]).toEqual([4, true]);
    const second = await read({ first: 2, after: first.pageInfo.endCursor });
    expect(addresses(second)).toEqual(["module.net.terraform_data.c", "terraform_data.d"]);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const found = await read({ search: "MODULE.Net", first: 1 });
    expect([addresses(found), found.totalCount]).toEqual([["module.net.terraform_data.a"], 2]);
    const rest = await read({ search: "module.net", first: 1, after: found.pageInfo.endCursor });
    expect([addresses(rest), rest.pageInfo.hasNextPage]).toEqual([["module.net.terraform_data.c"], false]);
    expect(await read({ search: "absent" })).toMatchObject({ totalCount: 0, nodes: [], pageInfo: { endCursor: null } });
    for (const [name, value] of [
      ["first", 1001],
      ["first", -1],
      ["after", "x"],
    ] as const) {
      const { errors } = await scene.api.send(query, { id: version?.id, [name]: value });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [name] }] });
    }
  });

  it("are read in pages, by their ids, and as files; a download is an event", async () => {
    const { id, path } = await place();
    const big = 2 ** 40;
    const resources = [resource("a", { x: 1 }), { ...resource("d", {}), mode: "data" }];
    await write(path, state(1), state(2, { resources }), state(big));
    expect((await versions(id)).map(({ serial }) => serial)).toEqual([big, 2, 1]);
    expect((await versions(id, "last: 1")).map(({ serial }) => serial)).toEqual([1]);
    const page = `query ($id: ID!, $after: String) { workspace(by: { id: $id }) { stateVersions(first: 1, after: $after) {
      edges { node { serial } } pageInfo { endCursor hasNextPage } } } }`;
    const first = (await scene.api.ask(page, { id })).workspace.stateVersions;
    const next = (await scene.api.ask(page, { id, after: first.pageInfo.endCursor })).workspace.stateVersions;
    expect(next).toMatchObject({ edges: [{ node: { serial: 2 } }], pageInfo: { hasNextPage: true } });

    const [, second] = await versions(id);
    const node = `query ($id: ID!) { node(id: $id) { ... on StateVersion { serial workspace { id }
      resources { totalCount nodes { address type name module provider dependsOn } } } } }`;
    expect((await scene.api.ask(node, { id: second?.id })).node).toEqual({
      serial: 2,
      workspace: { id },
      resources: {
        totalCount: 1,
        nodes: [
          {
            address: "terraform_data.a",
            type: "terraform_data",
            name: "a",
            module: null,
            provider: "terraform.io/builtin/terraform",
            dependsOn: [],
          },
        ],
      },
    });
    const file = `/state-versions/${second?.id}`;
    const bearer = (who: Who) => ({ authorization: `Bearer ${tokens[who]}` });
    const taken = await call("GET", file, null, undefined, bearer("WRITER"));
    expect([taken.status, taken.body]).toEqual([200, state(2, { resources })]);
    expect(taken.headers.get("content-disposition")).toBe(`attachment; filename="${second?.id}.tfstate"`);
    expect((await call("GET", file, null, undefined, bearer("READER"))).status).toBe(403);
    expect((await call("GET", file, "ADMIN")).status).toBe(401);
    for (const missing of ["sv_0", `${second?.id}`.replace(/.$/, "?"), "sv_00000000000000000000000000"]) {
      expect((await call("GET", `/state-versions/${missing}`, null, undefined, bearer("ADMIN"))).status).toBe(404);
    }
    expect((await call("POST", file, null, "", bearer("ADMIN"))).status).toBe(405);
    expect((await versions(id))[1]?.readings).toEqual([
      { way: "DOWNLOAD", actor: { name: "wri" }, credentialId: expect.stringMatching(/^tok_/) },
    ]);
  });

  it("are compared; only those who may take the file see values", async () => {
    const { id, path } = await place();
    await scene.send("setVariable", { workspaceId: id, key: "v", value: "canary-value", sensitive: true });
    // More than is looked into in the thread of the server.
    const padding = resource("big", { text: "x".repeat(1_000_000) });
    const before = [resource("gone", {}), resource("kept", { a: "old", secret: "x" }), padding];
    const after = [resource("kept", { a: "new", secret: "a canary-value" }), resource("new", {}), padding];
    await write(path, state(1, { resources: before }), state(2, { resources: after, outputs: { o: { value: 1 } } }));
    const [to, from] = await versions(id);
    const query = `query ($id: ID!, $from: ID!, $to: ID!) { workspace(by: { id: $id }) { stateComparison(from: $from, to: $to) {
      from { serial } to { serial } addedCount changedCount removedCount
      resources { action resource { address } attributes { name before after sensitive omitted } }
      outputs { name action after omitted } } } }`;
    const ask = async (by: { ask: Scene["api"]["ask"] }, ids: object) =>
      (await by.ask(query, { id, from: from?.id, to: to?.id, ...ids })).workspace.stateComparison;
    const found = await ask(scene.api, {});
    expect(found).toMatchObject({
      from: { serial: 1 },
      to: { serial: 2 },
      addedCount: 1,
      changedCount: 1,
      removedCount: 1,
    });
    expect(found.resources.map(({ action, resource: { address } }: Data) => [action, address])).toEqual([
      ["REMOVED", "terraform_data.gone"],
      ["CHANGED", "terraform_data.kept"],
      ["ADDED", "terraform_data.new"],
    ]);
    const hidden = { name: "secret", before: null, after: null, sensitive: true, omitted: false };
    const shown = { name: "a", before: "old", after: "new", sensitive: false, omitted: false };
    expect(found.resources[1].attributes).toEqual([shown, hidden]);
    expect(found.outputs).toEqual([{ name: "o", action: "ADDED", after: 1, omitted: false }]);
    const readings = async () => (await versions(id)).map((version) => version?.readings);
    const compared = [{ way: "COMPARISON", actor: { name: "admin" }, credentialId: expect.stringMatching(/^tok_/) }];
    expect(await readings()).toEqual([compared, compared]);
    const read = await ask(await scene.login("READER"), {});
    // Without values nothing of the state was read.
    expect(await readings()).toEqual([compared, compared]);
    const left = { before: null, after: null, sensitive: false, omitted: true };
    expect(read.resources[1].attributes).toEqual([
      { name: "a", ...left },
      { name: "secret", ...left },
    ]);
    expect(read.outputs).toEqual([{ name: "o", action: "ADDED", after: null, omitted: true }]);

    const elsewhere = await place();
    await write(elsewhere.path, state(1));
    const [foreign] = await versions(elsewhere.id);
    for (const other of [foreign?.id, id, "sv_00000000000000000000000000", "\0"]) {
      expect(await ask(scene.api, { from: other })).toBeNull();
    }
    const many = [0, 1, 2, 3].map((n) => `c${n}: stateComparison(from: "${from?.id}", to: "sv_${n}") { addedCount }`);
    const asked = scene.api.ask(`query ($id: ID!) { workspace(by: { id: $id }) { ${many.join(" ")} } }`, { id });
    await expect(asked).rejects.toThrow("At most 3");
  });

  it("are recorded as read by each reader of a stream that compares them", async () => {
    const { id, path } = await place();
    await write(path, state(1), state(2));
    const [to, from] = await versions(id);
    const query = `subscription ($id: ID!, $from: ID!, $to: ID!) { stream: workspaceEvents(workspaceId: $id) { __typename
      ... on WorkspaceChanged { workspace { stateComparison(from: $from, to: $to) { addedCount } } } } }`;
    const people = [await scene.login("WRITER"), await scene.login("WRITER"), await scene.login("READER")];
    const watchers = people.map((api) => watch(api, query, { id, from: from?.id, to: to?.id }));
    await waitUntil(() => watchers.every(({ items }) => items.length === 1));
    await scene.send("updateWorkspace", { workspaceId: id, description: "changed" });
    await waitUntil(() => watchers.every(({ items }) => items.length === 2));
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    const rows = await scene.rows(
      "select actor_id, credential_id from state_reading where state_version_id = $1",
      to?.id,
    );
    const expected = people.slice(0, 2).map(({ actorId }) => ({ actor_id: actorId, credential_id: null }));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining(expected));
  });
});
