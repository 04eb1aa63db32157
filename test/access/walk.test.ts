/**
 * A stranger sees nothing: everything in a hidden workspace is answered like what does not exist, over every field, every
 * argument that is an id, every mutation, subscription and route. The schema says what there is to ask.
 */
import { randomUUID } from "node:crypto";
import {
  buildSchema,
  type GraphQLInputObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { selectionsOf } from "./selections.ts";

const schema = buildSchema(await readFile(new URL("../../schema/schema.graphql", import.meta.url), "utf8"));
const organizationId = DEFAULT_ORGANIZATION_ID;
const CANARY = "canary";

/** The ids of a workspace and of all that is in it, by the kind that their prefix names. */
type World = Record<string, string>;

let scene: Scene;
let seen: World;
let hidden: World;
const principals = new Map<string, Api>();

async function make(name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const made = (await scene.api.ask(document, { input }))[name];
  if (made.code !== undefined) throw new Error(`${name}: ${made.message}`);
  return made;
}

const grant = (principalId: string, role: BuiltInRole, scopeId: string) =>
  make("createGrant", { principalId, roleId: builtInRoleId(role), scopeId, reason: "walk" }, "grant { id }");

/** A workspace in a project of its own with something of every kind, whose texts all have the word. */
async function world(word: string, isolated: boolean): Promise<World> {
  const project = (
    await make("createProject", { organizationId, name: `p-${randomUUID()}`, isolated }, "project { id }")
  ).project.id;
  if (isolated) await grant(ADMIN_ACTOR_ID, "ADMIN", project);
  const name = `${word}-${randomUUID()}`;
  const workspaceId = await scene.createWorkspace({ name, description: word });
  await make("moveWorkspace", { workspaceId, toProjectId: project }, "workspace { id }");
  const state = {
    version: 4,
    terraform_version: "1.9.0",
    serial: 1,
    lineage: word,
    outputs: { [word]: { value: word, type: "string" } },
    resources: [],
  };
  const sent = await fetch(`${scene.server.url}/workspaces/${workspaceId}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify(state),
  });
  expect(sent.ok, await sent.text()).toBe(true);
  await scene.send("setVariable", { workspaceId, key: word, value: word });
  await scene.send("lockWorkspace", { workspaceId, note: word });
  await scene.send("unlockWorkspace", { workspaceId });
  const runId = await scene.createRun(workspaceId, { message: word, metadata: [{ key: word, value: word }] });
  const job = await scene.claim(runId);
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  await job.log("PLAN", word);
  await job.request("PUT", "archive", Buffer.from("archive"));
  await job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) });
  await make("commentOnRun", { runId, text: word }, "comment { id }");
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, comment: word });
  // Refused, and recorded.
  await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 9, comment: word });
  const url = `https://example.com/${word}`;
  const { webhook } = await make(
    "createWebhook",
    { organizationId, workspaceId, url, events: ["RUN_ENDED"], description: word },
    "webhook { id }",
  );
  const { delivery } = await make("testWebhook", { webhookId: webhook.id }, "delivery { id }");
  const first = async (text: string) => (await scene.rows(text, runId))[0]["id"];
  const { grant: given } = await grant(ADMIN_ACTOR_ID, "READER", workspaceId);
  return {
    ws: workspaceId,
    name,
    prj: project,
    run: runId,
    plan: await first("select id from plan where run_id = $1"),
    phase: await first("select id from phase where run_id = $1"),
    appr: await first("select id from approval where run_id = $1"),
    cmt: await first("select id from run_comment where run_id = $1"),
    sv: (await scene.rows("select id from state_version where workspace_id = $1", workspaceId))[0]["id"],
    hook: webhook.id,
    dlv: delivery.id,
    grant: given.id,
  };
}

beforeAll(async () => {
  scene = await openScene();
  // Before the rest: what it asks for is known by then.
  seen = await world("shown", false);
  hidden = await world(CANARY, true);
  const other = (
    await make("createOrganization", { slug: `o-${randomUUID().slice(0, 8)}`, name: "Other" }, "organization { id }")
  ).organization.id;
  const grants: [string, BuiltInRole, string][] = [
    ["an administrator of the organization, whose grant does not reach an isolated project", "ADMIN", organizationId],
    ["an administrator of another project", "ADMIN", seen["prj"] ?? ""],
    ["an administrator of another workspace", "ADMIN", seen["ws"] ?? ""],
    ["a reader of another workspace", "READER", seen["ws"] ?? ""],
    ["an administrator of another organization", "ADMIN", other],
  ];
  for (const [name, role, scopeId] of grants) {
    principals.set(name, await machine(role, scopeId, scopeId === other ? other : organizationId));
  }
  principals.set("a stranger", await machine());
});
afterAll(() => scene[Symbol.asyncDispose]());

async function machine(role?: BuiltInRole, scopeId = "", home = organizationId): Promise<Api> {
  const { actor } = await make("createServiceAccount", { organizationId: home, name: "m" }, "actor { id }");
  if (role !== undefined) await grant(actor.id, role, scopeId);
  const { secret } = await make("createToken", { name: "t", ownerId: actor.id }, "secret");
  return createApi(scene.server.url, secret);
}

/** The id of something of that kind that does not exist. */
const absentOf = (id: string): string => `${id.slice(0, id.indexOf("_"))}_0000000000000000000000zzzz`;
const TYPES: Record<string, string> = {
  ws: "Workspace",
  prj: "Project",
  run: "Run",
  plan: "Plan",
  phase: "Phase",
  appr: "Approval",
  cmt: "RunComment",
  sv: "StateVersion",
  hook: "Webhook",
  dlv: "WebhookDelivery",
  grant: "Grant",
};
const ids = (): string[] => Object.entries(hidden).flatMap(([kind, id]) => (kind === "name" ? [] : [id]));
/** The ids whose objects nobody of the principals may see: administrators above see that an isolated project exists. */
const hiddenIds = (): string[] => ids().filter((id) => id !== hidden["prj"]);

/** The text of an answer in which one id stands for another. */
async function answer(api: Api, query: string, variables: Record<string, unknown>, id: string): Promise<string> {
  const { status, data, errors } = await api.send(query, variables);
  return JSON.stringify([status, data, errors])
    .replaceAll(id, "ID")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UUID");
}

const each = (): [string, Api][] => [...principals];

describe("a hidden object", () => {
  it("is answered by id like one that does not exist", async () => {
    const byId = [
      "query ($id: ID!) { node(id: $id) { id __typename } }",
      "query ($id: ID!) { nodes(ids: [$id]) { id __typename } }",
      "query ($id: ID!) { run(id: $id) { id } }",
      "query ($id: ID!) { workspace(by: { id: $id }) { id } }",
      "query ($id: ID!) { role(id: $id) { id } }",
      "query ($id: ID!) { runs(first: 5, filter: { workspaceId: $id }) { totalCount edges { node { id } } } }",
    ];
    for (const [name, api] of each()) {
      for (const id of hiddenIds()) {
        for (const query of byId) {
          const absent = absentOf(id);
          const wanted = await answer(api, query, { id: absent }, absent);
          expect(await answer(api, query, { id }, id), `${name}: ${query} ${id}`).toBe(wanted);
        }
      }
      const byPath =
        'query ($name: String!) { workspace(by: { path: { organization: "default", name: $name } }) { id } }';
      const wanted = await answer(api, byPath, { name: "absent" }, "absent");
      expect(await answer(api, byPath, { name: hidden["name"] }, hidden["name"] ?? ""), name).toBe(wanted);
    }
  });

  it("is seen by an administrator of its project: the walk would find it", async () => {
    const inside = await machine("ADMIN", hidden["prj"]);
    for (const id of ids()) {
      const { node } = await inside.ask("query ($id: ID!) { node(id: $id) { id } }", { id });
      expect(node, id).toEqual({ id });
    }
    const { runs } = await inside.ask("{ runs(first: 5) { edges { node { message } } } }");
    expect(JSON.stringify(runs)).toContain(CANARY);
  });
});

describe("no field tells anything of it", () => {
  it("from the root, from lists, and from all that the caller may see", async () => {
    let asked = 0;
    const look = async (name: string, api: Api, query: string, variables: Record<string, unknown> = {}) => {
      const { status, data, errors } = await api.send(query, variables);
      const text = JSON.stringify([data, errors]);
      expect(status, `${name}: ${query} ${text.slice(0, 300)}`).toBe(200);
      expect(text.includes(CANARY), `${name}: ${query}`).toBe(false);
      for (const id of hiddenIds()) expect(text.includes(id), `${name}: ${query} shows ${id}`).toBe(false);
      asked += 1;
    };
    for (const [name, api] of each()) {
      for (const selection of selectionsOf(schema, "Query", 1)) await look(name, api, `{ ${selection} }`);
      for (const selection of selectionsOf(schema, "Organization", 2)) {
        await look(name, api, `{ organization(slug: "default") { ${selection} } }`);
      }
      for (const [kind, type] of Object.entries(TYPES)) {
        for (const selection of selectionsOf(schema, type, 2)) {
          await look(name, api, `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`, {
            id: seen[kind],
          });
        }
      }
    }
    expect(asked).toBeGreaterThan(500);
  }, 120_000);
});

/** A value for each field of an input that must be given; ids are those of a world, by the name of the field. */
function inputOf(type: GraphQLInputObjectType, idOf: (field: string) => string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const { name, type: of, defaultValue } of Object.values(type.getFields())) {
    const named = getNamedType(of);
    const isId = named.name === "ID";
    if (!isId && (!isNonNullType(of) || defaultValue !== undefined)) continue;
    const value = isId
      ? idOf(name)
      : isEnumType(named)
        ? named.getValues()[0]?.name
        : isInputObjectType(named)
          ? inputOf(named, idOf)
          : valueOf(named.name);
    input[name] = isListType(isNonNullType(of) ? of.ofType : of) ? [value] : value;
  }
  return type.isOneOf ? Object.fromEntries(Object.entries(input).slice(0, 1)) : input;
}

function valueOf(type: string): unknown {
  if (type === "Int") return 1;
  if (type === "Boolean") return false;
  if (type === "DateTime") return "2040-01-01T00:00:00Z";
  return "text";
}

/** The prefixes of ids by the names of fields. */
const PREFIX_OF: Record<string, string> = {
  workspaceId: "ws",
  runId: "run",
  planRunId: "run",
  stateVersionId: "sv",
  webhookId: "hook",
  deliveryId: "dlv",
  grantId: "grant",
  scopeId: "ws",
  scopeIds: "ws",
};

describe("a command", () => {
  it("about something hidden is answered like one about what does not exist, and changes nothing", async () => {
    const mutations = schema.getMutationType();
    if (mutations === undefined || mutations === null) throw new Error("There are no mutations.");
    const rows = async () =>
      scene.rows(
        "select w::text as workspace, (select json_agg(r) from run r where r.workspace_id = w.id)::text as runs from workspace w where id = $1",
        hidden["ws"],
      );
    const before = await rows();
    let asked = 0;
    for (const { name, args } of Object.values(mutations.getFields())) {
      const type = getNamedType(args[0]?.type);
      if (!isInputObjectType(type)) throw new Error(`${name} has no input.`);
      const fields = Object.keys(type.getFields()).filter((field) => field in PREFIX_OF);
      if (fields.length === 0) continue;
      const query = `mutation ($input: ${type.name}!) { ${name}(input: $input) { __typename ... on UserError { code message } } }`;
      for (const [who, api] of each()) {
        const send = (isHidden: boolean) => {
          const used: string[] = [];
          const idOf = (field: string): string => {
            const prefix = PREFIX_OF[field];
            if (prefix === undefined) return `${field === "organizationId" ? organizationId : absentOf("usr_")}`;
            const id = isHidden ? (hidden[prefix] ?? "") : absentOf(`${prefix}_`);
            used.push(id);
            return id;
          };
          const input = inputOf(type, idOf);
          return answer(api, query, { input }, used[0] ?? "").then((text) =>
            used.reduce((all, id) => all.replaceAll(id, "ID"), text),
          );
        };
        expect(await send(true), `${who}: ${name}`).toBe(await send(false));
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(100);
    expect(await rows()).toEqual(before);
  }, 60_000);
});

describe("a stream", () => {
  it("of something hidden ends like one of what does not exist", async () => {
    const streams: [string, string][] = [
      ["subscription ($id: ID!) { runEvents(runId: $id) { __typename } }", "run"],
      ["subscription ($id: ID!) { runLog(runId: $id) { __typename } }", "run"],
      ["subscription ($id: ID!) { workspaceEvents(workspaceId: $id) { __typename } }", "ws"],
    ];
    const end = async (api: Api, query: string, id: string) => {
      const items = api.subscribe(query, { id });
      const error: unknown = await items.next().then(
        (item) => item,
        (cause: unknown) => (cause instanceof Error ? cause.message : JSON.stringify(cause)),
      );
      return String(error).replaceAll(id, "ID");
    };
    for (const [name, api] of each()) {
      for (const [query, kind] of streams) {
        const id = hidden[kind] ?? "";
        expect(await end(api, query, id), `${name}: ${query}`).toBe(await end(api, query, absentOf(id)));
      }
    }
  });
});

describe("a route", () => {
  it("about something hidden answers like one about what does not exist", async () => {
    const routes: [string, (id: World) => string][] = [
      ["GET", ({ run }) => `/runs/${run}/log`],
      ["GET", ({ run }) => `/runs/${run}/wait?timeout=1`],
      ["GET", ({ sv }) => `/state-versions/${sv}`],
      ["POST", ({ ws }) => `/workspaces/${ws}/state`],
    ];
    const absent: World = Object.fromEntries(Object.entries(hidden).map(([kind, id]) => [kind, absentOf(id)]));
    const ask = async (api: Api, method: string, path: string, own: World) => {
      const body = method === "POST" ? { body: JSON.stringify({ version: 4, serial: 9, lineage: "x" }) } : {};
      const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
      const answered = await fetch(`${scene.server.url}${path}`, { method, headers, ...body });
      let text = await answered.text();
      for (const id of Object.values(own)) text = text.replaceAll(id, "ID");
      return `${answered.status} ${answered.headers.get("content-type")} ${text}`;
    };
    for (const [name, api] of each()) {
      for (const [method, pathOf] of routes) {
        expect(await ask(api, method, pathOf(hidden), hidden), `${name}: ${pathOf(hidden)}`).toBe(
          await ask(api, method, pathOf(absent), absent),
        );
      }
      const basic = (method: string, workspace: string) =>
        fetch(`${scene.server.url}/state/default/${workspace}`, {
          method,
          headers: { authorization: `Basic ${Buffer.from(`x:${api.token}`).toString("base64")}` },
        }).then(async (answered) => `${answered.status} ${(await answered.text()).replaceAll(workspace, "NAME")}`);
      expect(await basic("GET", hidden["name"] ?? ""), name).toBe(await basic("GET", "absent"));
    }
  });
});

it("knows a type for everything that it makes", () => {
  for (const type of Object.values(TYPES)) expect(isObjectType(schema.getType(type)), type).toBe(true);
});
