import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTails } from "../../src/bus/run-tails.ts";
import { createTransferLimit, createTransfers } from "../../src/domain/transfers.ts";
import { createGraphql } from "../../src/graphql/server/yoga.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { THROUGH_YOGA } from "../support/api.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

const CONSOLE = "https://console.example";
const ELSEWHERE = "https://elsewhere.example";
const PATHS = ["/graphql", "/sources", "/workspaces/ws_00000000000000000000000000/state"];

/** Lets no other site in. */
let server: InProcess;
/** A server with CONSOLE configured. */
let open: HttpServer;
let openUrl: string;
beforeAll(async () => {
  server = await startInProcess();
  const { domain, deps, hub } = server;
  const corsOrigins = [CONSOLE];
  open = await startHttpServer(
    {
      graphql: createGraphql({
        domain,
        tails: createTails(deps.database, hub),
        cursorKeyOf: (subjectId) => deps.cipher.mac("cursors", subjectId),
        report: () => undefined,
        logger: { debug: () => undefined },
      }),
      ingestion: () => undefined,
      transfers: createTransfers(deps, createTransferLimit()),
      authenticate: (secret) =>
        secret === "broken" ? Promise.reject(new Error("no database")) : domain.authenticate(secret),
      recheck: (secret) => domain.authenticate(secret),
      isReady: () => Promise.resolve(true),
      corsOrigins,
      reportError: () => "",
    },
    { host: "127.0.0.1", port: 0 },
  );
  openUrl = `http://127.0.0.1:${open.port}`;
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function preflight(address: string, origin: string): Promise<Response> {
  const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
  return fetch(address, { method: "OPTIONS", headers: { origin, ...asked } });
}

function post(address: string, origin: string, token: string, type = "application/json"): Promise<Response> {
  const headers = { origin, authorization: `Bearer ${token}`, "content-type": type };
  return fetch(address, { method: "POST", headers, body: '{ "query": "{ viewer { role } }" }' });
}

const originOf = ({ headers }: Response): string | null => headers.get("access-control-allow-origin");

describe.each(PATHS)("%s", (path) => {
  it("lets no other site in by default", async () => {
    const response = await preflight(server.url + path, CONSOLE);
    expect(response.headers.get("access-control-allow-headers")).toBeNull();
    expect(originOf(response)).toBeNull();
    const answer = await post(server.url + path, CONSOLE, server.api.token);
    expect(originOf(answer)).toBeNull();
  });

  it("shows a configured one what it may send, and no other", async () => {
    const allowed = await preflight(openUrl + path, CONSOLE);
    expect(allowed.status).toBe(204);
    expect(originOf(allowed)).toBe(CONSOLE);
    expect(allowed.headers.get("access-control-allow-methods")).toContain("POST");
    const headers = allowed.headers.get("access-control-allow-headers")?.toLowerCase();
    for (const header of ["authorization", "content-type", "x-request-id"]) expect(headers).toContain(header);
    const other = await preflight(openUrl + path, ELSEWHERE);
    expect(originOf(other)).not.toBe(ELSEWHERE);
  });

  it("lets a configured one read answers and refusals, and no other", async () => {
    // Refused by its parser; without a token; while the server cannot check the token.
    for (const token of [server.api.token, "hpt_nobody", "broken"]) {
      const answer = await post(openUrl + path, CONSOLE, token);
      expect([answer.status, originOf(answer)]).toEqual([expect.any(Number), CONSOLE]);
      expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
      const other = await post(openUrl + path, ELSEWHERE, token);
      expect(originOf(other)).not.toBe(ELSEWHERE);
    }
  });
});

it.each(PATHS)("allows no credentials of browsers: tokens are sent by the page itself: %s", async (path) => {
  const answers = [await preflight(openUrl + path, CONSOLE), await post(openUrl + path, CONSOLE, server.api.token)];
  for (const { headers } of answers) {
    expect(headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
});

it.each([
  ["Yoga", THROUGH_YOGA],
  ["a stream of events", { accept: "text/event-stream" }],
])("lets a configured one read an answer of %s", async (_what, more) => {
  const headers = { origin: CONSOLE, authorization: `Bearer ${server.api.token}`, "content-type": "application/json" };
  const body = '{ "query": "{ viewer { role } }" }';
  const answer = await fetch(`${openUrl}/graphql`, { method: "POST", headers: { ...headers, ...more }, body });
  expect([answer.status, originOf(answer), answer.headers.get("vary")]).toEqual([200, CONSOLE, "Origin"]);
  expect(await answer.text()).toContain('{"data":{"viewer":{"role":"ADMIN"}}}');
});

it("leaves a preflight without an answer for pages where none is configured, and executes nothing", async () => {
  const response = await preflight(`${server.url}/sources`, CONSOLE);
  expect([response.status, response.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  expect(server.reported).toEqual([]);
});
