/** The changes of a plan as a file, and as a filtered list. */
import { once } from "node:events";
import { get, type IncomingMessage, request } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { FILTERED_ADDRESSES } from "../../src/model/plan/change-filter.ts";
import type { ResourceChange } from "../../src/model/plan/plan.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { createdResource as change } from "../support/resource-changes.ts";

let scene: Scene;
let planId: string;
/** A plan of several reads. */
let wideId: string;
/** A plan that no socket holds. */
let largeId: string;
const CHANGES = [
  change("gone", { action: "DELETE", after: null, before: { input: 1 } }),
  change("a", {
    address: "module.net.aws_vpc.a",
    type: "aws_vpc",
    module: "module.net",
    dependsOn: ["module.net.aws_vpc.b"],
  }),
  change("b", { address: 'module.net["x"].aws_vpc.b', type: "aws_vpc", module: 'module.net["x"]' }),
  change("c", { address: "module.net.module.in.aws_vpc.c", type: "aws_vpc", module: "module.net.module.in" }),
  change("d", { address: "module.network.aws_vpc.d_50%", type: "aws_vpc", module: "module.network" }),
];

async function planned(resourceChanges: ResourceChange[]): Promise<string> {
  const runId = await scene.createRun(await scene.createWorkspace());
  const counts = { ...fakePlan().counts, additions: resourceChanges.length, destructions: 1 };
  expect(await (await scene.claim(runId)).plan({ resourceChanges, counts })).toMatchObject({ status: 200 });
  const [row] = await scene.rows("select id from plan where run_id = $1", runId);
  return row.id;
}

beforeAll(async () => {
  scene = await openScene();
  planId = await planned(CHANGES);
  const value = "x".repeat(1024 * 1024);
  const plannedMiB = (length: number): Promise<string> =>
    planned(Array.from({ length }, (_, n) => change(`r${n}`, { after: { value, n } })));
  wideId = await plannedMiB(8);
  largeId = await plannedMiB(30);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function fetchChanges(id: string, headers: Record<string, string> = {}, method = "GET") {
  const options = { method, headers: { authorization: `Bearer ${scene.api.token}`, ...headers } };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${scene.server.url}/plans/${id}/changes`, options, resolve).on("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}
const lines = (body: Buffer): Data[] =>
  body
    .toString()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("the changes of a plan as a file", () => {
  it("has every change with its values and its digest, in the order of the plan", async () => {
    const { status, headers, body } = await fetchChanges(planId);
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    const digest = expect.stringMatching(/^[\w-]{27}$/);
    expect(lines(body)).toEqual(CHANGES.map((each, n) => ({ position: n + 1, digest, ...each })));
    const read = await scene.api.ask(
      "query ($id: ID!) { node(id: $id) { ... on Plan { index { address digest } } } }",
      { id: planId },
    );
    expect(read.node.index).toEqual(lines(body).map(({ address, digest: own }) => ({ address, digest: own })));
  });

  it("has what each change depends on, as the API has it; a runner of before sends nothing of it", async () => {
    const { dependsOn: _, ...old } = change("old");
    const query = `query ($id: ID!) { node(id: $id) { ... on Plan {
      resourceChanges { edges { node { address dependsOn } } } } } }`;
    const read = async (id: string) =>
      (await scene.api.ask(query, { id })).node.resourceChanges.edges.map(({ node }: Data) => node.dependsOn);
    const former: ResourceChange = JSON.parse(JSON.stringify(old));
    expect(await read(await planned([former]))).toEqual([[]]);
    expect(await read(planId)).toEqual([[], ["module.net.aws_vpc.b"], [], [], []]);
    expect(lines((await fetchChanges(planId)).body)[1]?.["dependsOn"]).toEqual(["module.net.aws_vpc.b"]);
  });

  it("is compressed where that is accepted, and has a tag of its own for each form", async () => {
    const plain = await fetchChanges(wideId);
    const gzip = await fetchChanges(wideId, { "accept-encoding": "gzip" });
    const zstd = await fetchChanges(wideId, { "accept-encoding": "zstd" });
    expect(lines(plain.body)).toHaveLength(8);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(zstdDecompressSync(zstd.body).equals(plain.body)).toBe(true);
    const tags = [plain, gzip, zstd].map(({ headers }) => headers.etag ?? "");
    expect(new Set(tags).size).toBe(3);
    expect(await fetchChanges(wideId, { "if-none-match": tags[0] ?? "" })).toMatchObject({ status: 304 });
    expect(await fetchChanges(wideId, { "if-none-match": tags[1] ?? "" })).toMatchObject({ status: 200 });
    const head = await fetchChanges(wideId, {}, "HEAD");
    expect([head.status, head.headers.etag, head.body.length]).toEqual([200, tags[0], 0]);
  });

  it("shares the places of logs: one token gets half of them", async () => {
    const { token } = await scene.login("READER");
    const headers = { authorization: `Bearer ${token}` };
    const stalled = [];
    while (stalled.length < LIMITS.logExportsPerToken) {
      const asked = get(`${scene.server.url}/plans/${largeId}/changes`, { headers });
      stalled.push(asked);
      await once(asked, "response");
    }
    const refused = await fetchChanges(planId, headers);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: "TOO_MANY_EXPORTS" });
    expect((await fetchChanges(planId)).status).toBe(200);
    for (const asked of stalled) asked.destroy();
  });

  it("is refused without a token, without the right, and for what is no plan", async () => {
    const status = async (id: string, headers = {}, method = "GET") => (await fetchChanges(id, headers, method)).status;
    expect(await status(planId, { authorization: "Bearer x" })).toBe(401);
    expect(await status("plan_none")).toBe(404);
    expect(await status("run_00000000000000000000000000")).toBe(404);
    expect(await status(planId, {}, "POST")).toBe(405);
  });
});

describe("the filters of changes", () => {
  const QUERY = `query ($id: ID!, $actions: [ResourceAction!], $addresses: [String!], $module: String, $type: String,
    $search: String) { node(id: $id) { ... on Plan { resourceChanges(first: 2, actions: $actions, addresses: $addresses,
    module: $module, type: $type, search: $search) { totalCount edges { node { name } } } } } }`;

  it.each<[string, object, string[], number]>([
    ["nothing", {}, ["gone", "a"], 5],
    ["addresses", { addresses: ["module.net.aws_vpc.a", "nothing"] }, ["a"], 1],
    ["no addresses", { addresses: [] }, [], 0],
    ["a module with those below it", { module: "module.net" }, ["a", "b"], 3],
    ["an instance of a module", { module: 'module.net["x"]' }, ["b"], 1],
    ["the root module", { module: "" }, ["gone"], 1],
    ["a type", { type: "aws_vpc" }, ["a", "b"], 4],
    ["a part of a type", { type: "aws" }, [], 0],
    ["a text in any case", { search: "NETWORK" }, ["d"], 1],
    ["a text with signs of patterns", { search: "_50%" }, ["d"], 1],
    ["several", { type: "aws_vpc", module: "module.net", search: ".c" }, ["c"], 1],
    ["actions and a type", { actions: ["DELETE"], type: "aws_vpc" }, [], 0],
  ])("select by %s, and count what is selected", async (_name, filter, names, totalCount) => {
    const { node } = await scene.api.ask(QUERY, { id: planId, ...filter });
    expect(node.resourceChanges.edges.map((edge: Data) => edge.node.name)).toEqual(names);
    expect(node.resourceChanges.totalCount).toBe(totalCount);
  });

  it.each<[object, string]>([
    [{ addresses: Array.from({ length: FILTERED_ADDRESSES + 1 }, () => "a") }, "addresses"],
    [{ addresses: ["x".repeat(LIMITS.addressLength + 1)] }, "addresses"],
    [{ addresses: ["x\0"] }, "addresses"],
    [{ module: "\0" }, "module"],
    [{ type: "\ud800" }, "type"],
    [{ search: "\0" }, "search"],
    [{ module: "x".repeat(LIMITS.addressLength + 1) }, "module"],
    [{ type: "x".repeat(LIMITS.addressLength + 1) }, "type"],
    [{ search: "x".repeat(LIMITS.addressLength + 1) }, "search"],
  ])("are refused if they are too long, or if no address can have them", async (filter, field) => {
    const { errors } = await scene.api.send(QUERY, { id: planId, ...filter });
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", issues: [{ path: [field] }] } }]);
  });
});
