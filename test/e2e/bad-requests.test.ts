/** What programs get wrong: a clear answer each, never a stack trace, and the server goes on. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Holdpoint, startHoldpoint } from "./holdpoint.ts";
import { expectUnharmed, post, refusalOf, request } from "./raw-request.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await startHoldpoint({ HOLDPOINT_RUNNER_SLOTS: "0", HOLDPOINT_LOG_LEVEL: "info" });
});
afterAll(() => holdpoint[Symbol.asyncDispose]());
afterEach(() => expectUnharmed(holdpoint));

it("answers 401 without a valid token, before it looks at anything", async () => {
  for (const authorization of ["", "Bearer", "Bearer x", "Basic YWRtaW46YWRtaW4=", `bearer${holdpoint.api.token}`]) {
    for (const body of ['{"query":"{ viewer { role } }"}', "{broken", ""]) {
      const answer = await post(holdpoint, body, { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(JSON.parse(answer.text).errors[0].extensions.code).toBe("UNAUTHENTICATED");
    }
  }
  const introspection = await request(holdpoint, "/graphql?query={__typename}", { headers: { authorization: "" } });
  expect(introspection.status).toBe(401);
  // A browser is shown the query, and executes nothing.
  const asPage = { authorization: "", accept: "text/html" };
  const page = await request(holdpoint, "/graphql?query={__typename}", { headers: asPage });
  expect([page.status, page.text.includes("<html"), page.text.includes("__typename")]).toEqual([200, true, false]);
});

it("closes sockets without a valid token with 4401, and those that send nonsense", async () => {
  expect(await closeCode(JSON.stringify({ type: "connection_init" }))).toBe(4401);
  const wrong = { type: "connection_init", payload: { authorization: "Bearer wrong" } };
  expect(await closeCode(JSON.stringify(wrong))).toBe(4401);
  expect(await closeCode("{broken")).toBe(4400);
  expect(
    await closeCode(JSON.stringify({ type: "subscribe", id: "1", payload: { query: "{ viewer { role } }" } })),
  ).toBe(4401);
  expect(await closeCode("x".repeat(300 * 1024))).toBe(1009);
});

it("serves health and GraphiQL's page to everybody", async () => {
  const anybody = { authorization: "" };
  expect(await request(holdpoint, "/healthz", { headers: anybody })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  expect(await request(holdpoint, "/readyz", { headers: anybody })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  const page = await request(holdpoint, "/graphql", { headers: { ...anybody, accept: "text/html" } });
  expect(page.status).toBe(200);
  expect(page.text).toContain("<html");
  // Works without internet, and shows nobody's token.
  expect(page.text).not.toMatch(/<(script|link)[^>]+https?:\/\//);
  expect(page.text).not.toContain(holdpoint.api.token);
  expect((await request(holdpoint, "/nowhere", { headers: anybody })).status).toBe(404);
  expect((await request(holdpoint, "/runner/v1/claim", { method: "POST", body: "{}" })).status).toBe(401);
});

it("takes queries by GET, mutations only by POST", async () => {
  const get = await request(holdpoint, `/graphql?query=${encodeURIComponent("{ viewer { role } }")}`);
  expect(JSON.parse(get.text)).toEqual({ data: { viewer: { role: "ADMIN" } } });
  const mutation = 'mutation { revokeToken(input: { tokenId: "x" }) { __typename } }';
  const refusedByGet = await request(holdpoint, `/graphql?query=${encodeURIComponent(mutation)}`);
  expect(refusedByGet.status).toBe(405);
});

it("refuses what is no request in GraphQL", async () => {
  const bodies: [unknown, Record<string, string>?][] = [
    ["{broken"],
    [""],
    ["[]"],
    ["null"],
    ['"text"'],
    [[{ query: "{ viewer { role } }" }]],
    [{}],
    [{ query: "" }],
    [{ query: 7 }],
    [{ query: "{" }],
    [{ query: "{ nope }" }],
    [{ query: "{ viewer { role }", variables: [] }],
    [{ query: "query A { viewer { role } } query B { viewer { role } }" }],
    [{ query: "{ viewer { role } }", operationName: "Nope" }],
    [{ query: "query ($a: ID!) { run(id: $a) { id } }" }],
    [{ query: "query ($a: ID!) { run(id: $a) { id } }", variables: { a: { b: 1 } } }],
    [{ query: "subscription { runEvents(runId: 7) { __typename } runLog(runId: 7) { __typename } }" }],
    ["{ viewer { role } }", { "content-type": "text/plain" }],
    ['{"query":"{ viewer { role } }"}', { "content-type": "text/xml" }],
  ];
  for (const [body, headers] of bodies) {
    const answer = await post(holdpoint, body, headers);
    const what = JSON.stringify(body).slice(0, 100);
    expect(answer.status, what).toBeLessThan(500);
    expect(answer.text, what).not.toContain("ADMIN");
    expect(answer.text, what).not.toContain("INTERNAL");
  }
  const large = await post(holdpoint, { query: `{ viewer { role } } # ${"x".repeat(1024 * 1024)}` });
  expect(large.status).toBe(413);
});

it("refuses queries that are too deep, too wide, or never end", async () => {
  const deep = (levels: number, inner: string) =>
    `{ runs { edges { node ${"{ workspace { currentRun ".repeat(levels)}${inner}${" } }".repeat(levels)} } } }`;
  const aliases = Array.from({ length: 61 }, (_, index) => `a${index}: viewer { role }`).join(" ");
  const fragments = Array.from(
    { length: 30 },
    (_, index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`,
  ).join(" ");
  for (const [query, says] of [
    [deep(20, "{ id }"), /levels deep; the limit is 15/],
    [deep(2000, "{ id }"), /nested too deeply/],
    [`{ ${aliases} }`, /aliases.*the limit is 60/],
    [`{ ...f0 } ${fragments} fragment f30 on Query { viewer { role } }`, /fields.*the limit is 1500/],
    ["{ ...f } fragment f on Query { ...f }", /itself/],
    [`{ viewer { ${"role ".repeat(6000)} } }`, /./],
    [`{ ${"{".repeat(20_000)}`, /./],
    [`{ runs(filter: { statuses: [${"READY ".repeat(6000)}] }) { totalCount } }`, /./],
  ] as const) {
    const error = await refusalOf(holdpoint, query);
    expect(error.extensions.code, query.slice(0, 60)).toBe("QUERY_REFUSED");
    expect(error.message).toMatch(says);
  }
  expect(await holdpoint.api.ask(deep(4, "{ id }"))).toHaveProperty("runs");
});

function closeCode(message: string): Promise<number> {
  const socket = new WebSocket(`${holdpoint.api.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  socket.once("open", () => socket.send(message));
  return new Promise((resolve, reject) => {
    socket.once("close", (code) => resolve(code));
    socket.once("error", reject);
  });
}
