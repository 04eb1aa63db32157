/** The promises of the table of routes hold for each of its rows, also for new ones. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFindRoute } from "../../src/http/route/find-route.ts";
import { openRoute } from "../../src/http/route/route.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { waitFor } from "../support/eventually.ts";
import { checks, inboundHooks, lines, programs, reported, routeDeps, routes, signIn } from "../support/route-table.ts";
import { sendRaw } from "../support/two-ways.ts";

const CONSOLE = "https://console.example";
/** A path that the route is for. */
const pathOf = (path: string): string => path.replace(/:\w+/g, "x1").replace("*", "v0/none");
const rows = routes.map((route) => [`${route.methods?.join(" ") ?? "any"} ${route.path}`, route] as const);

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(
    { ...routeDeps, signIn, programs, inboundHooks, checks, corsOrigins: [CONSOLE] },
    { host: "127.0.0.1", port: 0 },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (method: string, path: string, headers = {}) =>
  sendRaw(server.port, method, pathOf(path), { origin: CONSOLE, ...headers }, Buffer.alloc(0));

/** Routes with methods of their own; of several with one path, the one that is left when no condition holds. */
const refusing = rows.flatMap(([name, route]) => {
  const { path, methods } = route;
  const isLast = routes.findLast((other) => other.path === path) === route;
  return methods !== null && isLast ? [[name, { ...route, methods }] as const] : [];
});
const guarded = refusing.flatMap(([name, { auth, ...route }]) =>
  auth === null ? [] : [[name, { ...route, auth }] as const],
);

it("the table has routes of each kind", () => {
  expect([rows.length, refusing.length, guarded.length].map((count) => count > 5)).toEqual([true, true, true]);
});

it("programs and people sign in from no page of another origin", () => {
  const open = routes.filter(({ path, cors }) => /^\/(?:auth|\.well-known)\//.test(path) && cors);
  expect(open.map(({ path }) => path)).toEqual([]);
});

describe.each(refusing)("%s", (_name, { path, methods, cors, errors }) => {
  const allowed = [...methods, "OPTIONS"].join(", ");

  it("answers OPTIONS, for pages of other origins if it is for them", async () => {
    const answer = await send("OPTIONS", path);
    expect([answer.status, answer.headers["allow"]]).toEqual([204, allowed]);
    expect(answer.headers["access-control-allow-origin"]).toBe(cors ? CONSOLE : undefined);
    expect(answer.headers["access-control-allow-methods"]).toBe(cors ? allowed : undefined);
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it("refuses other methods, before it asks for a token", async () => {
    const answer = await send("TRACE", path);
    expect([answer.status, answer.headers["allow"]]).toEqual([405, allowed]);
    const failure = { status: 405, code: "METHOD_NOT_ALLOWED", message: expect.any(String) };
    expect(JSON.parse(answer.body)).toEqual(errors(failure));
  });
});

describe.each(guarded)("%s", (_name, { path, methods, auth, cors, errors }) => {
  it("needs a token", async () => {
    for (const method of methods) {
      for (const authorization of ["", "Bearer wrong", "Basic wrong"]) {
        const answer = await send(method, path, { authorization, accept: "application/json" });
        expect(answer.status).toBe(401);
        expect(answer.headers["www-authenticate"]).toBe(auth === "basic" ? 'Basic realm="Holdpoint"' : "Bearer");
        expect(answer.headers["access-control-allow-origin"]).toBe(cors ? CONSOLE : undefined);
        const failure = { status: 401, code: "UNAUTHENTICATED", message: expect.any(String) };
        if (method !== "HEAD") expect(JSON.parse(answer.body)).toEqual(errors(failure));
      }
    }
    expect(reported).toEqual([]);
  });
});

it.each(rows)("%s has its path as the label of metrics", async (_name, { path, methods }) => {
  lines.length = 0;
  const method = methods?.[0] ?? "GET";
  await send(method, path);
  await waitFor(() => expect(lines).toMatchObject([{ method, route: path, transport: "http" }]));
});

it("every other path is unknown, for all methods", async () => {
  lines.length = 0;
  for (const [method, path] of [
    ["GET", "/nothing"],
    ["POST", "/runs/x/wait/more"],
    ["OPTIONS", "/runs//wait"],
  ] as const) {
    const answer = await sendRaw(server.port, method, path, { origin: CONSOLE }, Buffer.alloc(0));
    expect([answer.status, JSON.parse(answer.body).errors[0].extensions.code]).toEqual([404, "NOT_FOUND"]);
  }
  await waitFor(() => expect(lines.map(({ route }) => route)).toEqual(["other", "other", "other"]));
});

it("a route is found by its path, and of several by what they accept", () => {
  const row = (path: string, more = {}) =>
    openRoute({ path, methods: ["GET"], cors: false, handler: () => undefined, ...more });
  const nowhere = row("other");
  const page = row("/a", {
    accepts: ({ headers }: { headers: Record<string, unknown> }) => headers["accept"] === "page",
  });
  const table = [page, row("/a"), row("/a/:id"), row("/a/fixed"), row("/a/:id/b/:other"), row("/deep/*")];
  const find = createFindRoute(table, nowhere);
  const found = (url: string, headers = {}) => {
    const { route, exchange } = find(Object.assign(Object.create(null), { url, headers }), Object.create(null));
    return { path: route.path, isPage: route === page, parameter: exchange.parameter };
  };
  expect(found("/a?x=1")).toMatchObject({ path: "/a", isPage: false });
  expect(found("/a", { accept: "page" })).toMatchObject({ path: "/a", isPage: true });
  expect(found("/a/fixed").path).toBe("/a/fixed");
  expect(found("/a/one").parameter("id")).toBe("one");
  const both = found("/a/1/b/2");
  expect([both.parameter("id"), both.parameter("other")]).toEqual(["1", "2"]);
  expect(() => both.parameter("none")).toThrow(":none");
  expect(found("/deep/down/there").path).toBe("/deep/*");
  for (const url of ["/", "/a/", "/a/1/b", "/ab", "//", "*", "http://["]) expect(found(url).path, url).toBe("other");
});
