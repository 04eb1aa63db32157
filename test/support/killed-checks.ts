/** Servers that are killed while external checks judge runs: one database, one service, one clock. */
import { connect } from "node:net";
import { Client } from "pg";
import type { Api, Data } from "./api.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type HeldWork, startHeldWork } from "./held-work.ts";
import { createWorkspaceOf } from "./run-steps.ts";
import type { TaskRequest } from "./run-task-schemas.ts";
import { type RunTaskService, startRunTaskService } from "./run-task-service.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "./server-process.ts";

export interface KilledChecks extends AsyncDisposable {
  readonly service: RunTaskService;
  /** A connection of the test's own. */
  readonly sql: Client;
  /** Starts a server on the database, which may be one that was killed before. */
  start(port?: number): Promise<ServerProcess>;
  /** A workspace whose runs are applied by themselves, unless something judges them. */
  workspace(api: Api, name: string): Promise<string>;
  /** Ends the leases of servers and runners, which the test does not wait for. */
  endLeases(): Promise<void>;
}

export async function startKilledChecks(): Promise<KilledChecks> {
  const [work, database, dataDir, service]: [HeldWork, TestDatabase, string, RunTaskService] = await Promise.all([
    startHeldWork(),
    createTestDatabase(),
    makeDataDir(),
    startRunTaskService(),
  ]);
  const sql = new Client(database.connection);
  await sql.connect();
  const servers: ServerProcess[] = [];
  return {
    service,
    sql,
    async start(port) {
      const server = await startServerProcess({
        dataDir,
        ...(port !== undefined && { port }),
        env: {
          DATABASE_URL: database.url,
          HOLDPOINT_SOURCE_ROOTS: work.root,
          HOLDPOINT_PUBLIC_URL: "http://localhost",
          HOLDPOINT_WEBHOOK_ALLOW: new URL(service.url).host,
        },
      });
      servers.push(server);
      return server;
    },
    async workspace(api, name) {
      const path = await work.source(name, 'resource "terraform_data" "a" {}');
      const settings = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" } as const;
      return createWorkspaceOf(api, { name, source: { directory: { path } }, ...settings });
    },
    async endLeases() {
      await sql.query("update external_check_result set lease_until = now() where lease_until is not null");
      await sql.query("update check_request set lease_until = now() where lease_until is not null");
      await sql.query("update external_check_result set due_at = now() where status = 'PENDING'");
    },
    async [Symbol.asyncDispose]() {
      // Those that a failed test has left.
      for (const server of servers) await server.killGroup();
      await sql.end();
      await service[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
      await removeDataDir(dataDir);
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The events of a run that tell how it was judged and what was done: results that ended, and statuses. */
export async function historyOf(api: Api, runId: string): Promise<string[]> {
  const query = `query ($id: ID!) { run(id: $id) { events(last: 100) { edges { node { __typename
    ... on RunStatusChanged { status: to } ... on CheckChanged { to result { stage } } } } } } }`;
  const { run } = await api.ask(query, { id: runId });
  return run.events.edges.flatMap(({ node }: Data) => {
    if (node["__typename"] === "RunStatusChanged") return [node["status"]];
    const isEnd = node["__typename"] === "CheckChanged" && node["to"] !== "RUNNING" && node["to"] !== "PENDING";
    return isEnd ? [`${node["result"].stage} ${node["to"]}`] : [];
  });
}

/** Sends the head of a report with a part of its body, and no more. The server waits for the rest. */
export async function sendHalf(server: ServerProcess, request: TaskRequest, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  const head = [
    `PATCH ${new URL(request.task_result_callback_url).pathname} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${request.access_token}`,
    "Content-Type: application/vnd.api+json",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  await new Promise<void>((resolve) => {
    socket.write(`${head.join("\r\n")}\r\n\r\n${text.slice(0, 20)}`, () => resolve());
  });
}
