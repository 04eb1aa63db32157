/** Deliveries of other systems: who proves to have the secret makes the runs of the hook, once, and nothing else. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { signMessage } from "../../src/domain/webhook/signature.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import type { InProcess } from "../support/in-process.ts";
import { addMachine } from "../support/machine.ts";

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

async function send(name: string, input: object, fields: string, api = scene.api): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const faults = /^(?:create|update)/.test(name) ? "... on InvalidInputError { issues { path } }" : "";
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } ${faults} } }`;
  return (await api.ask(query, { input }))[name];
}
const CHANGED =
  "inboundHook { id path kind lastAt lastProblem mapping { key pointer } workspaces { id } owner { id } }";
const MADE = `${CHANGED} secret`;
const create = (input: object, api = scene.api): Promise<Data> =>
  send(
    "createInboundHook",
    { organizationId: DEFAULT_ORGANIZATION_ID, name: "tickets", kind: "PLAN", ...input },
    MADE,
    api,
  );

interface Delivery {
  id?: string;
  body?: string;
  headers?: Record<string, string>;
  url?: string;
  secret?: string;
  ageMs?: number;
}
/** A delivery that is signed by the secret, as far as nothing else is given. */
async function deliver(path: string, { id = "d1", body = "{}", headers, url, secret = "", ageMs = 0 }: Delivery) {
  const timestamp = Math.floor((scene.server.deps.clock().getTime() - ageMs) / 1000);
  const signed = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signMessage({ id, timestamp, body }, [secret]),
  };
  const response = await fetch(`${url ?? scene.server.url}${path}`, {
    method: "POST",
    headers: headers ?? signed,
    body,
  });
  return { status: response.status, body: (await response.json()) as Data };
}
const work = () => changesetRound(scene.server.deps, new AbortController().signal);
async function runsOf(workspaceId: string): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs { edges { node { kind trigger message
    createdBy { id } metadata { key value } cause { ... on InboundHookCause { hookId deliveryId } } } } } } }`;
  return (await scene.api.ask(query, { id: workspaceId })).workspace.runs.edges.map(({ node }: Data) => node);
}
const count = async (table: string): Promise<number> =>
  (await scene.rows(`select count(*)::int as count from ${table}`))[0]?.count;
/** One more address would be limited: each test has its own allowance. */
const later = () => scene.server.advance(5 * 60_000);

describe("a delivery", () => {
  it("makes the runs of the hook, with values of its body as metadata", async () => {
    const ids = [await scene.createWorkspace(), await scene.createWorkspace()];
    const mapping = [
      { key: "ticket", pointer: "/issue/key" },
      { key: "none", pointer: "/absent" },
    ];
    const { inboundHook: hook, secret } = await create({ workspaceIds: ids, mapping });
    expect(hook).toMatchObject({ path: `/hooks/in/${hook.id}`, kind: "PLAN", mapping, lastAt: null });
    const body = JSON.stringify({ issue: { key: "OPS-7" }, approve: true });
    const first = await deliver(hook.path, { secret, body });
    expect(first).toMatchObject({ status: 202, body: { repeated: false, problem: null } });
    await work();
    for (const id of ids) {
      expect(await runsOf(id)).toEqual([
        {
          kind: "PLAN",
          trigger: "INBOUND_HOOK",
          message: "tickets",
          createdBy: { id: SYSTEM_ACTOR_ID },
          metadata: [{ key: "ticket", value: "OPS-7" }],
          cause: { hookId: hook.id, deliveryId: "d1" },
        },
      ]);
    }
  });

  it("counts once by its id, on two servers at the same time, also by a bearer token", async () => {
    const workspaceId = await scene.createWorkspace();
    const { inboundHook: hook, secret } = await create({ workspaceIds: [workspaceId] });
    const urls = [scene.server.url, other.url, scene.server.url, other.url];
    const answers = await Promise.all(urls.map((url) => deliver(hook.path, { secret, url })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.changesetId)).size).toBe(1);
    const bearer = { authorization: `Bearer ${secret}`, "webhook-id": "d1" };
    expect((await deliver(hook.path, { headers: bearer })).body).toMatchObject({ repeated: true });
    const another = { authorization: `Bearer ${secret}`, "idempotency-key": "d2" };
    expect((await deliver(hook.path, { headers: another })).body).toMatchObject({ repeated: false });
    await work();
    expect(await runsOf(workspaceId)).toHaveLength(2);
  });

  it("that is forged, altered, old or for another hook is 401, and nothing is stored", async () => {
    later();
    const workspaceIds = [await scene.createWorkspace()];
    const { inboundHook: hook, secret } = await create({ workspaceIds });
    const theirs = await create({ workspaceIds });
    const tables = ["inbound_delivery", "changeset", "run"];
    const before = await Promise.all(tables.map(count));
    const good = { secret, body: '{"a":1}' };
    const timestamp = Math.floor(scene.server.deps.clock().getTime() / 1000);
    const signature = signMessage({ id: "d1", timestamp, body: good.body }, [secret]);
    const signed = { "webhook-id": "d1", "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    const absent = `${hook.path.slice(0, -4)}zzzz`;
    const forged: [string, Delivery][] = [
      [hook.path, { secret: theirs.secret }],
      [hook.path, { ...good, ageMs: LIMITS.inboundToleranceMs + 2000 }],
      [hook.path, { ...good, ageMs: -LIMITS.inboundToleranceMs - 2000 }],
      [hook.path, { body: '{"a":2}', headers: signed }],
      [hook.path, { body: good.body, headers: { ...signed, "webhook-id": "d2" } }],
      [hook.path, { body: good.body, headers: { ...signed, "webhook-signature": "v1," } }],
      [hook.path, { headers: {} }],
      [hook.path, { headers: { authorization: `Bearer ${secret}x`, "webhook-id": "d1" } }],
      [hook.path, { headers: { authorization: `Bearer ${scene.api.token}`, "webhook-id": "d1" } }],
      [absent, good],
      ["/hooks/in/x", good],
    ];
    for (const [path, delivery] of forged) {
      const answer = await deliver(path, delivery);
      expect(answer.status, JSON.stringify(delivery)).toBe(401);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    expect(await Promise.all(tables.map(count))).toEqual(before);
    expect((await deliver(hook.path, good)).status).toBe(202);
  });

  it("without an id, of too many bytes, or by another method is refused", async () => {
    later();
    const { inboundHook: hook, secret } = await create({ workspaceIds: [await scene.createWorkspace()] });
    const authorization = `Bearer ${secret}`;
    expect((await deliver(hook.path, { headers: { authorization } })).status).toBe(400);
    const large = "x".repeat(LIMITS.inboundBytes + 1);
    expect((await deliver(hook.path, { headers: { authorization, "webhook-id": "d" }, body: large })).status).toBe(413);
    expect((await fetch(`${scene.server.url}${hook.path}`)).status).toBe(405);
    // What is no JSON gives no metadata.
    expect((await deliver(hook.path, { secret, body: "not json" })).status).toBe(202);
  });

  it("of an address with too many forged ones is 429, even if it is a good one", async () => {
    later();
    const { inboundHook: hook, secret } = await create({ workspaceIds: [await scene.createWorkspace()] });
    const statuses: number[] = [];
    for (let index = 0; index <= LIMITS.inboundFailures.burst; index++) {
      statuses.push((await deliver(hook.path, { headers: {} })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMITS.inboundFailures.burst);
    expect((await deliver(hook.path, { secret })).status).toBe(429);
    later();
    expect((await deliver(hook.path, { secret })).status).toBe(202);
  });
});

describe("the secret of a hook", () => {
  it("is replaced: the former one is good for a day, or ends at once", async () => {
    later();
    const { inboundHook: hook, secret } = await create({ workspaceIds: [await scene.createWorkspace()] });
    const rotated = await send("rotateInboundHookSecret", { hookId: hook.id }, "secret");
    expect((await deliver(hook.path, { secret, id: "a" })).status).toBe(202);
    expect((await deliver(hook.path, { secret: rotated.secret, id: "b" })).status).toBe(202);
    scene.server.advance(LIMITS.webhookFormerSecretMs + 1000);
    expect((await deliver(hook.path, { secret, id: "c" })).status).toBe(401);
    const last = await send("rotateInboundHookSecret", { hookId: hook.id, revokeNow: true }, "secret");
    expect((await deliver(hook.path, { secret: rotated.secret, id: "d" })).status).toBe(401);
    expect((await deliver(hook.path, { secret: last.secret, id: "e" })).status).toBe(202);
    await send("deleteInboundHook", { hookId: hook.id }, "deletedId");
    expect((await deliver(hook.path, { secret: last.secret, id: "f" })).status).toBe(401);
    const [row] = await scene.rows("select secret_sealed from inbound_hook where id = $1", hook.id);
    expect(row?.secret_sealed.toString("latin1")).not.toContain(last.secret);
  });
});

describe("a hook", () => {
  it("is of workspaces in which its creator may make its runs; what is wrong is named", async () => {
    const mine = await scene.createWorkspace();
    const machine = await addMachine(
      scene.server.url,
      scene.api,
      ["READER", DEFAULT_ORGANIZATION_ID],
      ["MAINTAINER", mine],
    );
    expect(await create({ workspaceIds: [mine] }, machine)).toMatchObject({ code: "FORBIDDEN" });
    const absent = `${mine.slice(0, -4)}zzzz`;
    const cases: [object, string[]][] = [
      [{ workspaceIds: [] }, ["workspaceIds"]],
      [{ workspaceIds: [mine, mine] }, ["workspaceIds"]],
      [{ workspaceIds: [mine, absent] }, ["workspaceIds", "1"]],
      [{ workspaceIds: [mine], name: "" }, ["name"]],
      [{ workspaceIds: [mine], mapping: [{ key: "a", pointer: "b" }] }, ["mapping", "0", "pointer"]],
      [
        {
          workspaceIds: [mine],
          mapping: [
            { key: "a", pointer: "/b" },
            { key: "a", pointer: "/c" },
          ],
        },
        ["mapping", "1", "key"],
      ],
    ];
    for (const [input, path] of cases) {
      expect(await create(input), JSON.stringify(input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    }
  });

  it("is changed: its address and its secret stay, and who changes it becomes its owner", async () => {
    later();
    const [first, second] = [await scene.createWorkspace(), await scene.createWorkspace()];
    const maker = await addMachine(scene.server.url, scene.api, ["MAINTAINER", DEFAULT_ORGANIZATION_ID]);
    const mapping = [{ key: "ticket", pointer: "/id" }];
    const { inboundHook: hook, secret } = await create({ workspaceIds: [first], mapping }, maker);
    const change = (input: object, api = scene.api): Promise<Data> =>
      send("updateInboundHook", { hookId: hook.id, ...input }, CHANGED, api);

    const renamed = await change({ name: "releases" }, maker);
    expect(renamed.inboundHook).toMatchObject({ path: hook.path, kind: "PLAN", mapping, workspaces: [{ id: first }] });
    const { inboundHook: changed } = await change({ workspaceIds: [second], kind: "DEPLOY", mapping: [] });
    expect(changed).toMatchObject({ path: hook.path, kind: "DEPLOY", mapping: [], workspaces: [{ id: second }] });
    expect(changed.owner.id).not.toBe(renamed.inboundHook.owner.id);
    expect((await deliver(hook.path, { secret, body: '{"id":"T-17"}' })).status).toBe(202);
    await work();
    expect(await runsOf(first)).toEqual([]);
    expect(await runsOf(second)).toMatchObject([{ kind: "DEPLOY", message: "releases", metadata: [] }]);
  });

  it("is changed by those who may make its runs in all of its workspaces, and what is wrong is named", async () => {
    const [mine, ...hidden] = [
      await scene.createWorkspace(),
      await scene.createWorkspace(),
      await scene.createWorkspace(),
    ];
    const { inboundHook: hook } = await create({ workspaceIds: [mine, ...hidden] });
    const change = (input: object, api = scene.api): Promise<Data> =>
      send("updateInboundHook", { hookId: hook.id, ...input }, CHANGED, api);
    const machine = await addMachine(scene.server.url, scene.api, ["MAINTAINER", mine]);
    expect(await change({ name: "a" }, machine)).toMatchObject({ code: "NOT_FOUND" });
    const roleInput = { organizationId: DEFAULT_ORGANIZATION_ID, name: "hooks", permissions: ["WEBHOOK_WRITE"] };
    const { role } = await send("createRole", roleInput, "role { id }");
    const granted = { principalId: machine.id, roleId: role.id, scopeId: DEFAULT_ORGANIZATION_ID, reason: "hooks" };
    await send("createGrant", granted, "grant { id }");
    // Two of the hook's workspaces are hidden from the caller, who did not name them: nothing says which, or how many.
    const kept = await change({ name: "a" }, machine);
    expect(kept).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["workspaceIds"] }] });
    for (const id of hidden) expect(JSON.stringify(kept)).not.toContain(id);
    expect(await change({ workspaceIds: [mine] }, machine)).toMatchObject({
      inboundHook: { workspaces: [{ id: mine }] },
    });

    const absent = `${mine.slice(0, -4)}zzzz`;
    const cases: [object, string[]][] = [
      [{ workspaceIds: [mine, absent] }, ["workspaceIds", "1"]],
      [{ workspaceIds: null }, ["workspaceIds"]],
      [{ mapping: null }, ["mapping"]],
      [{ kind: null }, ["kind"]],
      [{ name: null }, ["name"]],
      [{ name: "" }, ["name"]],
    ];
    for (const [input, path] of cases) {
      expect(await change(input), JSON.stringify(input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    }
    await send("deleteInboundHook", { hookId: hook.id }, "deletedId");
    expect(await change({ name: "a" })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("makes no runs that its owner may not make any more", async () => {
    later();
    const workspaceId = await scene.createWorkspace();
    const machine = await addMachine(scene.server.url, scene.api);
    const grantId = await machine.grant("MAINTAINER", DEFAULT_ORGANIZATION_ID);
    const { inboundHook: hook, secret } = await create({ workspaceIds: [workspaceId], kind: "DEPLOY" }, machine);
    await scene.api.ask(`mutation { revokeGrant(input: { grantId: "${grantId}" }) { __typename } }`);
    const answer = await deliver(hook.path, { secret });
    expect(answer).toMatchObject({
      status: 202,
      body: { changesetId: null, problem: expect.stringContaining("RUN_DEPLOY") },
    });
    await work();
    expect(await runsOf(workspaceId)).toEqual([]);
  });
});
