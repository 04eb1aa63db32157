/** Plain posts are answered beside Yoga's HTTP layer, without a visible difference: equal requests, sent both ways. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { THROUGH_YOGA } from "../support/api.ts";
import { createFakeDomain, fakeCaller, fakeRun, fakeWorkspace } from "../support/fake-domain.ts";
import { createTestGraphql, type TestGraphql } from "../support/graphql.ts";
import { type RawAnswer, sendRaw, startYogaAlone } from "../support/two-ways.ts";

/** Messages around the length from which an answer is sent as bytes, and of letters with one to four of them. */
const LONG = ["a", "\u00fc", "\u20ac", "\u{1f7e2}"].flatMap((letter) =>
  [8000, 32_700, 32_768, 300_000].map((length) => letter.repeat(length)),
);
let both: TestGraphql;
let product: HttpServer;
let yoga: Awaited<ReturnType<typeof startYogaAlone>>;
/** How many requests went through Yoga's HTTP layer in the product. */
let throughYoga = 0;
/** Tokens that are not valid any more. */
const ended = new Set<string>();

beforeAll(async () => {
  const long = LONG.map((message, index) => fakeRun(10 + index, { message }));
  const content = { workspaces: [fakeWorkspace(1)], runs: [fakeRun(1), fakeRun(2), ...long] };
  const broken = { variables: () => Promise.reject(new Error("no such table")) };
  both = createTestGraphql({ domain: createFakeDomain(content, broken).domain });
  yoga = await startYogaAlone(both.graphql, { caller: fakeCaller });
  const counting = new Proxy(both.graphql, {
    get: (target, name) => {
      if (name === "handle") throughYoga += 1;
      return Reflect.get(target, name);
    },
  });
  product = await startHttpServer(
    {
      graphql: counting,
      ingestion: () => undefined,
      authenticate: (secret) => Promise.resolve(ended.has(secret) ? null : fakeCaller),
      recheck: () => Promise.resolve(null),
      slowBodyMs: 0,
      isReady: () => Promise.resolve(true),
      reportError: () => "",
    },
    { host: "127.0.0.1", port: 0 },
  );
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await yoga[Symbol.asyncDispose]();
});

interface Sent {
  method?: string;
  target?: string;
  headers?: Record<string, string>;
  body: string | Buffer;
}

const withoutIds = ({ body, ...rest }: RawAnswer): RawAnswer => ({
  ...rest,
  body: body.replaceAll(/"errorId":"[^"]+"/g, '"errorId":"-"'),
});

/** Sends a request both ways, expects equal answers, and gives whether the direct way was taken. */
async function sendBoth({
  method = "POST",
  target = "/graphql",
  headers = {},
  body,
}: Sent): Promise<{ answer: RawAnswer; short: boolean }> {
  const all = { "content-type": "application/json", ...headers };
  const bytes = Buffer.from(body);
  const before = throughYoga;
  const answer = withoutIds(await sendRaw(product.port, method, target, all, bytes));
  const short = throughYoga === before;
  expect(answer).toEqual(withoutIds(await sendRaw(yoga.port, method, target, all, bytes)));
  return { answer, short };
}

const json = (query: unknown, more: object = {}): string => JSON.stringify({ query, ...more });
const VIEWER = "{ viewer { role } }";
const WORKSPACE = "query W($id: ID!) { workspace(by: { id: $id }) { id runs(first: 5) { edges { node { id } } } } }";
const id = fakeWorkspace(1).id;

describe("takes the short way", () => {
  it.each<[string, Sent]>([
    ["a query", { body: json(VIEWER) }],
    ["a query with variables", { body: json(WORKSPACE, { variables: { id } }) }],
    ["nulls for what may be left out", { body: json(VIEWER, { variables: null, operationName: null }) }],
    ["extensions, which mean nothing here", { body: json(VIEWER, { extensions: { client: { name: "x" } } }) }],
    [
      "one of several operations",
      { body: json(`query A ${VIEWER} query B { viewer { actor { name } } }`, { operationName: "B" }) },
    ],
    [
      "a mutation that is refused",
      { body: json('mutation { deleteWorkspace(input: { workspaceId: "x" }) { __typename } }') },
    ],
    [
      "questions about the schema",
      { body: json('{ __schema { queryType { name } } __type(name: "Run") { kind fields { name } } }') },
    ],
    [
      "fields that fail",
      { body: json("query W($id: ID!) { workspace(by: { id: $id }) { variables { key } } }", { variables: { id } }) },
    ],
    ["a field that fails with INVALID_INPUT", { body: json("{ runs(first: 1000) { edges { cursor } } }") }],
    ["a variable that does not fit", { body: json(WORKSPACE, { variables: { id: {} } }) }],
    ["a variable that is missing", { body: json(WORKSPACE) }],
    [
      "a condition that is null",
      {
        body: json("query ($s: Boolean = true) { viewer @include(if: $s) { role } }", { variables: { s: null } }),
      },
    ],
    ["blanks around the JSON", { body: `\n ${json(VIEWER)}\n ` }],
    [
      "bytes that are no UTF-8, in a string",
      {
        body: Buffer.concat([Buffer.from('{"query":"{ viewer { role } } #'), Buffer.of(0xff, 0xc3), Buffer.from('"}')]),
      },
    ],
    ["JSON with its charset", { headers: { "content-type": "application/json; charset=utf-8" }, body: json(VIEWER) }],
    ...[
      "*/*",
      "application/json",
      "application/graphql-response+json",
      "application/graphql-response+json, application/json;q=0.9",
      "application/json, application/graphql-response+json",
      "application/*",
      "APPLICATION/JSON ; q=1",
      "text/html, application/json",
      "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
      "application/json; charset=latin1, application/graphql-response+json; charset=UTF-8",
      "*/*;q=0.1, application/graphql-response+json",
    ].flatMap((accept): [string, Sent][] => [
      [`accept: ${accept}`, { headers: { accept }, body: json(VIEWER) }],
      [`accept: ${accept}, and an error`, { headers: { accept }, body: json(WORKSPACE) }],
      [
        `accept: ${accept}, and a field that fails`,
        { headers: { accept }, body: json(`{ runs(first: 1000) { edges { cursor } } }`) },
      ],
    ]),
  ])("%s", async (_what, sent) => {
    expect((await sendBoth(sent)).short).toBe(true);
  });
});

describe("leaves to Yoga", () => {
  it.each<[string, Sent]>([
    ["GET", { method: "GET", target: `/graphql?query=${encodeURIComponent(VIEWER)}`, body: "" }],
    [
      "a mutation by GET",
      { method: "GET", target: `/graphql?query=${encodeURIComponent("mutation { __typename }")}`, body: "" },
    ],
    [
      "a query in the address as well",
      { target: `/graphql?query=${encodeURIComponent("{ __typename }")}`, body: json(VIEWER) },
    ],
    ["another media type", { headers: { "content-type": "text/plain" }, body: json(VIEWER) }],
    [
      "a form",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: `query=${encodeURIComponent(VIEWER)}` },
    ],
    ["parts", { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "--x--\r\n" }],
    ["GraphQL as it is", { headers: { "content-type": "application/graphql" }, body: VIEWER }],
    ["another charset", { headers: { "content-type": "application/json; charset=latin1" }, body: json(VIEWER) }],
    ["no body", { body: "" }],
    ["no JSON", { body: "{" }],
    ["JSON behind a mark of byte order", { body: `\uFEFF${json(VIEWER)}` }],
    ["no object", { body: "[]" }],
    ["null", { body: "null" }],
    ["a string", { body: '"{ viewer { role } }"' }],
    ["a batch", { body: `[${json(VIEWER)},${json(VIEWER)}]` }],
    ["no query", { body: "{}" }],
    ["a query that is null", { body: json(null) }],
    ["a query of another type", { body: json(1) }],
    ["an empty query", { body: json("") }],
    ["a query that is none", { body: json("{") }],
    ["unknown fields", { body: json("{ nothing }") }],
    ["unknown parameters", { body: json(VIEWER, { more: 1 }) }],
    ["unknown parameters that are null", { body: json(VIEWER, { more: null }) }],
    ["a parameter with a name of prototypes", { body: '{"query":"{ viewer { role } }","__proto__":{"x":1}}' }],
    ["variables that are a list", { body: json(VIEWER, { variables: [] }) }],
    ["variables that are a string", { body: json(VIEWER, { variables: "{}" }) }],
    ["extensions that are a list", { body: json(VIEWER, { extensions: [] }) }],
    ["a name that no operation has", { body: json(`query A ${VIEWER}`, { operationName: "B" }) }],
    ["a name of another type", { body: json(`query A ${VIEWER}`, { operationName: 1 }) }],
    ["an empty name", { body: json(VIEWER, { operationName: "" }) }],
    ["no name for several operations", { body: json(`query A ${VIEWER} query B ${VIEWER}`) }],
    ["fragments alone", { body: json("fragment F on Query { viewer { role } }") }],
    [
      "too many aliases",
      { body: json(`{ ${Array.from({ length: 70 }, (_, i) => `a${i}: viewer { role }`).join(" ")} }`) },
    ],
    ["too deep a query", { body: json(`${"{ node(id: 1) ".repeat(20)}${"}".repeat(20)}`) }],
    ["too many tokens", { body: json(`{ ${"a ".repeat(6000)} }`) }],
    ["a subscription", { body: json('subscription { runEvents(runId: "run_none") { __typename } }') }],
    [
      "a subscription that accepts no stream",
      {
        headers: { accept: "application/json" },
        body: json('subscription { runEvents(runId: "run_none") { __typename } }'),
      },
    ],
    ["a media type that it has not", { headers: { accept: "text/html" }, body: json(VIEWER) }],
    ["no media type at all", { headers: { accept: "" }, body: json(VIEWER) }],
    ["nothing but another charset", { headers: { accept: "application/json;charset=latin1" }, body: json(VIEWER) }],
    ["a body that is packed", { headers: { "content-encoding": "gzip" }, body: json(VIEWER) }],
  ])("%s", async (_what, sent) => {
    expect((await sendBoth(sent)).short).toBe(false);
  });
});

it("sends answers of any length as their bytes, one behind the other on a connection", async () => {
  const query = "query R($id: ID!) { run(id: $id) { message } }";
  const socket = connect(product.port, "127.0.0.1");
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  for (const index of LONG.keys()) {
    const body = json(query, { variables: { id: fakeRun(10 + index).id } });
    const isLast = index === LONG.length - 1;
    const head = `host: x\r\ncontent-type: application/json\r\nconnection: ${isLast ? "close" : "keep-alive"}\r\n`;
    socket.write(`POST /graphql HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`);
  }
  await once(socket, "close");
  let rest = Buffer.concat(pieces);
  for (const message of LONG) {
    const wanted = Buffer.from(JSON.stringify({ data: { run: { message } } }));
    const start = rest.indexOf("\r\n\r\n") + 4;
    expect(rest.toString("latin1", 0, start)).toMatch(new RegExp(`\r\ncontent-length: ${wanted.length}\r\n`, "i"));
    expect(rest.subarray(start, start + wanted.length).equals(wanted)).toBe(true);
    rest = rest.subarray(start + wanted.length);
  }
  expect(rest).toHaveLength(0);
});

it("reports what is masked once, and counts it once", async () => {
  const before = both.reported.length;
  const body = json("query W($id: ID!) { workspace(by: { id: $id }) { variables { key } } }", { variables: { id } });
  const { answer } = await sendBoth({ body });
  expect(answer.body).toContain('"code":"INTERNAL"');
  expect(both.reported.length - before).toBe(2);
});

/** Begins a post and gives the socket when the first half of its body is on its way. */
async function beginPost(
  body: string,
  token = "some",
  headers: Record<string, string> = {},
): Promise<{ socket: Socket; rest: string }> {
  const socket = connect(product.port, "127.0.0.1");
  await once(socket, "connect");
  const half = Math.floor(body.length / 2);
  const all = {
    host: "x",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": body.length,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /graphql HTTP/1.1\r\n${lines.join("")}\r\n`;
  await new Promise((resolve) => socket.write(head + body.slice(0, half), resolve));
  return { socket, rest: body.slice(half) };
}

it("forgets a client that goes in the middle of its body, or before its answer", async () => {
  const before = both.reported.length;
  const { socket } = await beginPost(json(VIEWER));
  socket.destroy();
  const second = await beginPost(json(VIEWER));
  second.socket.end(second.rest);
  second.socket.destroy();
  expect((await sendBoth({ body: json(VIEWER) })).answer.status).toBe(200);
  expect(both.reported.length).toBe(before);
});

it.each([
  ["a query", "{ viewer { role } }", {}],
  ["a subscription", 'subscription { runEvents(runId: "run_none") { __typename } }', {}],
  ["what is Yoga's unread", "{ viewer { role } }", THROUGH_YOGA],
])("executes nothing for a token that ended while the body was sent: %s", async (_what, query, headers) => {
  ended.clear();
  const { socket, rest } = await beginPost(json(query), "short-lived", headers);
  // Asked about once before the body is read.
  await sendBoth({ body: json(VIEWER) });
  ended.add("short-lived");
  let answer = "";
  socket.on("data", (piece: Buffer) => {
    answer += piece.toString();
    socket.end();
  });
  socket.write(rest);
  await once(socket, "close");
  expect(answer).toContain("HTTP/1.1 401 ");
  expect(answer).toContain("UNAUTHENTICATED");
});
