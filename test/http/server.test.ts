import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

const VIEWER = JSON.stringify({ query: "{ viewer { role } }" });

function post(headers: Record<string, string>, body = VIEWER): Promise<Response> {
  return fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

const admin = (): Record<string, string> => ({ authorization: `Bearer ${server.api.token}` });

/** Sends bytes as they are, and gives everything that comes until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (piece) => (answer += piece.toString()));
  // The refusal may come while the request is still being written.
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return answer;
}

describe("GraphQL over HTTP", () => {
  it.each([
    ["none", {}],
    ["another", { authorization: "Bearer hpt_of-somebody-else-0123456789" }],
    ["an empty one", { authorization: "Bearer " }],
    ["one without its scheme", { authorization: "hpt_admin-token-of-the-tests-0123456789" }],
    ["another scheme", { authorization: "Basic aHB0OmFkbWlu" }],
  ])("needs a token: %s", async (_name, headers) => {
    const response = await post(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const { errors, data } = (await response.json()) as { errors: unknown; data?: unknown };
    expect(errors).toEqual([{ message: expect.any(String), extensions: { code: "UNAUTHENTICATED" } }]);
    expect(data).toBeUndefined();
  });

  it("takes a valid one", async () => {
    const response = await post(admin());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { viewer: { role: "ADMIN" } } });
  });

  it("refuses a body that is too large, without reading it", async () => {
    const response = await post(admin(), " ".repeat(LIMITS.requestBytes) + VIEWER);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "QUERY_REFUSED" } }] });
    // Only announced: the server does not wait for the rest.
    const answer = await raw(
      `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.api.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${LIMITS.requestBytes + 1}\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("refuses a body of unknown length", async () => {
    const answer = await raw(
      `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.api.token}\r\n` +
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 411 /);
  });

  it.each([
    ["no JSON", "{"],
    ["no operation", "{}"],
    ["no object", "[]"],
    ["a query that is none", JSON.stringify({ query: "{" })],
    ["a query of another type", JSON.stringify({ query: 1 })],
    ["unknown fields", JSON.stringify({ query: "{ nothing }" })],
  ])("answers %s with what is wrong, never with a stack trace", async (_name, body) => {
    const response = await post(admin(), body);
    expect(response.status).toBeGreaterThanOrEqual(200);
    expect(response.status).toBeLessThan(500);
    const text = await response.text();
    expect(text).toContain('"errors"');
    expect(text).not.toMatch(/\.ts:\d+|node_modules|\bat \w+ \(/);
  });

  it("offers subscriptions as server-sent events, too", async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { ...admin(), "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ query: 'subscription { runEvents(runId: "run_none") { __typename } }' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(await response.text()).toContain('"NOT_FOUND"');
  });

  it("answers a query as events where that is wanted, and closes behind them where that is", async () => {
    const body = JSON.stringify({ query: "{ viewer { role } }" });
    const headers = { ...admin(), "content-type": "application/json", accept: "text/event-stream" };
    const lines = Object.entries({ host: "x", connection: "close", "content-length": body.length, ...headers });
    const head = lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("");
    const answer = await raw(`POST /graphql HTTP/1.1\r\n${head}\r\n${body}`);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('data: {"data":{"viewer":{"role":"ADMIN"}}}');
  });
});

describe("paths", () => {
  it("that do not exist are 404, for a WebSocket as well", async () => {
    const response = await fetch(`${server.url}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "NOT_FOUND" } }] });
    const upgrade =
      "GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
      "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    expect(await raw(upgrade)).toMatch(/^HTTP\/1.1 404 /);
  });

  it("are answered to clients that would rather speak HTTP/2", async () => {
    const headers = "host: x\r\nconnection: upgrade, close\r\nupgrade: h2c";
    expect(await raw(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("that are no paths do no harm", async () => {
    const upgrade =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    for (const target of ["//", "/%", "/graphql/../x", "*", "http://["]) {
      for (const headers of ["connection: close", upgrade]) {
        const answer = await raw(`GET ${target} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`);
        expect(answer, target).toMatch(/^HTTP\/1.1 (302|400|401|404) /);
      }
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.reported).toEqual([]);
  });

  it("of health need no token", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(server.url + path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: "ok" });
    }
  });

  it("/ leads to GraphiQL, whose page needs no token", async () => {
    const home = await fetch(`${server.url}/`, { redirect: "manual" });
    expect(home.headers.get("location")).toBe("/graphql");
    const page = await fetch(`${server.url}/`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });
});

describe("without its database", () => {
  it("is alive, not ready, and reports no more than that", async () => {
    await using lost = await startInProcess();
    await lost.testDatabase.drop();
    expect((await fetch(`${lost.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${lost.url}/readyz`);
    expect(ready.status).toBe(503);
    const answer = await lost.api.send("{ viewer { role } }");
    expect(answer.status).toBe(500);
    expect(answer.errors).toEqual([
      { message: "Unexpected error.", extensions: { code: "INTERNAL", errorId: expect.any(String) } },
    ]);
  });
});
