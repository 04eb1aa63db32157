/** What operators see of a server: its log by requests, and its figures. */
import { once } from "node:events";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createToken } from "../support/token-steps.ts";
import { data, type Holdpoint, PATIENCE_MS, startHoldpoint } from "../e2e/holdpoint.ts";
import { waitFor } from "../support/eventually.ts";

/** Loaded before the product: a promise that nobody waits for fails when the process is told so. */
const FORGETTING = 'process.on("SIGUSR2", () => Promise.reject(new Error("forgotten")))';

let holdpoint: Holdpoint;
let run: { id: string };
beforeAll(async () => {
  holdpoint = await startHoldpoint({
    HOLDPOINT_LIMIT_POINTS_PER_MINUTE: "6000000",
    HOLDPOINT_LIMIT_POINTS_AT_ONCE: "100000",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FORGETTING)}`,
  });
  const workspace = await holdpoint.workspace("observed", { "main.tf": data("a") });
  run = await workspace.deploy();
}, PATIENCE_MS);
afterAll(() => holdpoint[Symbol.asyncDispose]());

type Line = Record<string, unknown>;

/** The server's log so far; a line that is being written is not there yet. */
const logLines = (): Line[] =>
  holdpoint.server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Line);

/** The lines of one request, once there is one of this message. */
const linesOf = (requestId: unknown, message: string): Promise<Line[]> =>
  waitFor(() => {
    const lines = logLines().filter((line) => line["requestId"] === requestId);
    expect(lines.map((line) => line["msg"])).toContain(message);
    return lines;
  });

function ask(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${holdpoint.server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${holdpoint.api.token}`, ...headers },
    body: JSON.stringify({ query }),
  });
}

async function scrape(headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${holdpoint.server.url}/metrics`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain");
  return response.text();
}

/** The value of one sample; undefined where it is not on the page. */
function sample(page: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = page.split("\n").find((text) => {
    const [, found, list = ""] = /^(\w+)(?:\{(.*)\})? /.exec(text) ?? [];
    return found === name && wanted.every((label) => list.split(",").includes(label));
  });
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
}

const admin = (): Record<string, string> => ({ authorization: `Bearer ${holdpoint.api.token}` });

it("an unhandled promise rejection is in the log, and ends nothing", async () => {
  process.kill(holdpoint.server.pid, "SIGUSR2");
  await waitFor(() =>
    expect(logLines().map(({ err }) => err)).toContainEqual(expect.objectContaining({ message: "forgotten" })),
  );
  expect((await ask("{ viewer { role } }")).status).toBe(200);
});

describe("the id of a request", () => {
  it("is the client's own where it is well-formed, and in the log with what is known of the request", async () => {
    const response = await ask(`query Mine { run(id: "${run.id}") { status } }`, { "x-request-id": "client-1.2:3" });
    expect(response.headers.get("x-request-id")).toBe("client-1.2:3");
    const [line] = await linesOf("client-1.2:3", "Request");
    expect(line).toMatchObject({
      transport: "http",
      method: "POST",
      route: "/graphql",
      status: 200,
      operation: "query Mine",
      runId: run.id,
      actorId: expect.stringMatching(/^usr_/),
    });
  });

  it.each(["has blanks", 'quo"ted', "x".repeat(129), "<script>"])("is another one for %s", async (id) => {
    const response = await ask("{ viewer { role } }", { "x-request-id": id });
    const given = response.headers.get("x-request-id");
    expect(given).not.toBe(id);
    expect(given).toMatch(/^[\w-]{36}$/);
  });

  it.each([
    ["POST", "/graphql", 401, "/graphql"],
    ["GET", "/metrics", 401, "/metrics"],
    ["GET", "/healthz", 200, "/healthz"],
    ["GET", "/readyz", 200, "/readyz"],
    ["GET", "/nothing", 404, "other"],
    ["GET", "/runs/run_1/log", 401, "/runs/:id/log"],
    ["POST", "/runner/v1/claim", 401, "/runner/v1/claim"],
    ["POST", "/runner/v1/jobs/job_1/masks", 401, "/runner/v1/jobs/:id/masks"],
    ["POST", "/runner/v1/jobs/job_1/state/lock", 401, "/runner/v1/jobs/:id/state/lock"],
    ["POST", "/runner/v1/jobs/job_1/made-up", 404, "/runner/*"],
    ["GET", "/assets/none.js", 404, "/assets/:file"],
  ])("is answered by %s %s as well, and told under a name of few", async (method, path, status, route) => {
    const headers = { "x-request-id": `to${path}` };
    const response = await fetch(holdpoint.server.url + path, { method, headers, redirect: "manual" });
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toBe(`to${path}`);
    const lines = await linesOf(`to${path}`, "Request");
    expect(lines.find((line) => line["route"] !== undefined)).toMatchObject({ route, status });
  });

  it("stands with requests of runners, and the run that they are about", () => {
    const lines = logLines().filter(
      (line) => String(line["route"]).startsWith("/runner/v1/jobs/") && line["status"] !== 401,
    );
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      expect(line).toMatchObject({
        runId: run.id,
        jobId: expect.stringMatching(/^job_/),
        requestId: expect.any(String),
      });
    }
  });

  it("leads from an error that was masked to the line with its cause", async () => {
    const client = new Client(holdpoint.database.connection);
    await client.connect();
    await client.query("alter table approval rename to approval_away");
    try {
      const response = await ask(`{ run(id: "${run.id}") { approvals { gate } } }`, { "x-request-id": "broken-1" });
      const { errors } = (await response.json()) as { errors: { extensions: Line }[] };
      const { code, errorId } = errors[0]?.extensions ?? {};
      expect(code).toBe("INTERNAL");
      const lines = await linesOf("broken-1", "A request failed");
      const actorId = expect.stringMatching(/^usr_/) as unknown;
      expect(lines[0]).toMatchObject({ level: 50, errorId, runId: run.id, actorId, err: { code: "42P01" } });
    } finally {
      await client.query("alter table approval_away rename to approval");
      await client.end();
    }
  });

  it("of a WebSocket counts its operations", async () => {
    const socket = new WebSocket(`${holdpoint.server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
      headers: { "x-request-id": "socket-1" },
    });
    const upgraded = once(socket, "upgrade");
    const send = (message: object): void => socket.send(JSON.stringify(message));
    const done = new Promise<void>((resolve) => {
      let completed = 0;
      socket.on("message", (text: Buffer) => {
        const { type } = JSON.parse(text.toString()) as { type: string };
        if (type === "connection_ack") {
          send({ type: "subscribe", id: "a", payload: { query: "query One { viewer { role } }" } });
          const query = `subscription Two { runEvents(runId: "${run.id}") { __typename } }`;
          send({ type: "subscribe", id: "b", payload: { query } });
          send({ type: "subscribe", id: "c", payload: { query: "{ nothing }" } });
        }
        if (type === "complete" || type === "error") completed += 1;
        if (completed === 3) resolve();
      });
    });
    const [response] = (await upgraded) as [{ headers: Line }];
    expect(response.headers["x-request-id"]).toBe("socket-1");
    if (socket.readyState !== WebSocket.OPEN) await once(socket, "open");
    send({ type: "connection_init", payload: { authorization: `Bearer ${holdpoint.api.token}` } });
    await done;
    socket.close();
    const actorId = expect.stringMatching(/^usr_/) as unknown;
    const common = { transport: "websocket", actorId };
    expect((await linesOf("socket-1.1", "Request"))[0]).toMatchObject({ ...common, operation: "query One" });
    const second = (await linesOf("socket-1.2", "Request"))[0];
    expect(second).toMatchObject({ ...common, operation: "subscription Two", runId: run.id });
    expect((await linesOf("socket-1.3", "Request"))[0]).toMatchObject(common);
  });

  it("never comes with a token", () => {
    expect(holdpoint.server.output()).not.toContain(holdpoint.api.token);
    expect(holdpoint.server.output()).not.toMatch(/Bearer |hp[rj]_\w{10}/);
  });
});

it("limits tokens as its settings ask for", async () => {
  const { headers } = await ask("{ __typename }");
  expect(headers.get("ratelimit-policy")).toBe('"credential";q=100000;w=1');
});

describe("the figures", () => {
  it("need a token, of any role", async () => {
    expect((await fetch(`${holdpoint.server.url}/metrics`)).status).toBe(401);
    const { secret } = await createToken(holdpoint.api, { name: "scraper", role: "READER" });
    expect(await scrape({ authorization: `Bearer ${secret}` })).toContain("holdpoint_runs");
  });

  it("tell of runs, waits, work and errors", async () => {
    await ask("{ nothing }");
    const page = await scrape(admin());
    expect(sample(page, "holdpoint_figures_up")).toBe(1);
    expect(sample(page, "holdpoint_runs", { status: "FINISHED" })).toBe(1);
    expect(sample(page, "holdpoint_runs", { status: "PLANNING" })).toBe(0);
    expect(sample(page, "holdpoint_workspaces")).toBe(1);
    expect(sample(page, "holdpoint_workspace_health", { health: "UNREACHABLE" })).toBe(0);
    expect(sample(page, "holdpoint_health_probe_delay_seconds_count")).toBe(0);
    expect(sample(page, "holdpoint_jobs_live")).toBe(0);
    expect(sample(page, "holdpoint_queue_length", { waits_for: "runner" })).toBe(0);
    for (const status of ["QUEUED", "READY", "AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL", "CONFIRMED"]) {
      expect(sample(page, "holdpoint_run_wait_seconds_count", { status }), status).toBe(1);
    }
    expect(sample(page, "holdpoint_run_wait_seconds_count", { status: "PLANNING" })).toBeUndefined();
    expect(sample(page, "holdpoint_transactions_total", { outcome: "committed" })).toBeGreaterThan(10);
    expect(sample(page, "holdpoint_events_total")).toBeGreaterThan(10);
    expect(sample(page, "holdpoint_log_batches_total")).toBeGreaterThan(0);
    expect(sample(page, "holdpoint_log_lines_total")).toBeGreaterThan(5);
    expect(sample(page, "holdpoint_graphql_errors_total", { code: "QUERY_REFUSED" })).toBeGreaterThan(0);
    expect(sample(page, "holdpoint_graphql_errors_total", { code: "RATE_LIMITED" })).toBe(0);
    const answered = { transport: "http", method: "POST", route: "/graphql", status: "200" };
    expect(sample(page, "holdpoint_requests_total", answered)).toBeGreaterThan(0);
    expect(sample(page, "process_cpu_seconds_total")).toBeGreaterThan(0);
  });

  let streams = 0;
  it.each(["text/event-stream", "TEXT/event- stream", "text/*", "*/*"])(
    "count streams (%s) while they are open",
    async (accept) => {
      const workspace = await holdpoint.workspace(`streams-${++streams}`, { "main.tf": data("a") });
      const { id } = await workspace.plan();
      const query = "subscription ($id: ID!) { runEvents(runId: $id) { __typename } }";
      const open = async (kind: string): Promise<number | undefined> =>
        sample(await scrape(admin()), "holdpoint_streams_open", { kind });
      const items = holdpoint.api.subscribe(query, { id });
      await items.next();
      const events = await fetch(`${holdpoint.server.url}/graphql`, {
        method: "POST",
        headers: { ...admin(), "content-type": "application/json", accept },
        body: JSON.stringify({ query, variables: { id } }),
      });
      expect([await open("subscription"), await open("websocket"), await open("sse")]).toEqual([1, 1, 1]);
      await items[Symbol.asyncDispose]();
      await events.body?.cancel();
      await waitFor(async () =>
        expect([await open("subscription"), await open("websocket"), await open("sse")]).toEqual([0, 0, 0]),
      );
    },
  );

  it("leave out what the database does not say in time", async () => {
    const client = new Client(holdpoint.database.connection);
    await client.connect();
    try {
      await client.query("begin; lock table job in access exclusive mode");
      // What was read a moment ago is still good.
      const page = await waitFor(async () => {
        const text = await scrape(admin());
        expect(sample(text, "holdpoint_figures_up")).toBe(0);
        return text;
      });
      expect(sample(page, "holdpoint_runs", { status: "FINISHED" })).toBeUndefined();
      expect(sample(page, "holdpoint_jobs_live")).toBeUndefined();
      expect(sample(page, "holdpoint_log_lines_total")).toBeGreaterThan(5);
    } finally {
      await client.query("rollback");
      await client.end();
    }
  });
});
