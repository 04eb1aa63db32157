/** The clients of examples/clients work as their comments describe, as programs of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { waitFor, waitUntil } from "../support/eventually.ts";

/** Ends with the folder of a curl for machines that have none. */
const PATH = [process.env["PATH"], fileURLToPath(new URL("../fixtures/programs", import.meta.url))].join(delimiter);

let server: InProcess;
let workspaceId: string;
beforeAll(async () => {
  server = await startInProcess();
  const path = await server.makeSource("module", { "main.tf": "" });
  const { createWorkspace } = await server.api.ask(
    `mutation ($path: String!) { createWorkspace(input: { name: "clients", source: { directory: { path: $path } } }) {
      ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`,
    { path },
  );
  workspaceId = createWorkspace.workspace.id;
});
afterAll(() => server[Symbol.asyncDispose]());

/** A run that waits for a runner, which never comes. */
async function createRun(): Promise<string> {
  const { createRun: created } = await server.api.ask(
    `mutation ($id: ID!) { createRun(input: { workspaceId: $id }) {
      ... on CreateRunSuccess { run { id } } ... on UserError { message } } }`,
    { id: workspaceId },
  );
  return created.run.id;
}

async function cancelRun(runId: string): Promise<void> {
  const { cancelRun: canceled } = await server.api.ask(
    `mutation ($id: ID!) { cancelRun(input: { runId: $id }) {
      ... on CancelRunSuccess { run { status } } ... on UserError { message } } }`,
    { id: runId },
  );
  expect(canceled).toEqual({ run: { status: "CANCELED" } });
}

/** Starts one of the programs; `output` is what it has written so far. */
function start(name: string, args: string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(`../../examples/clients/${name}`, import.meta.url));
  const [program, first] = name.endsWith(".mjs") ? [process.execPath, [file]] : [file, []];
  const child = spawn(program, [...first, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: server.api.token, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += String(piece)));
  const closed = once(child, "close").then(([code]) => Number(code));
  return {
    lines: () => output.split("\n").filter((line) => line !== ""),
    output: () => output,
    prints: (text: string) => waitFor(() => expect(output).toContain(text)),
    closed,
  };
}

/** Passes bytes on to the server until it cuts all clients off. */
async function startProxy() {
  const open = new Set<Socket>();
  const listener = createServer((incoming) => {
    const outgoing = connect(Number(new URL(server.url).port), "127.0.0.1");
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.on("error", () => undefined).on("close", () => other.destroy());
      socket.pipe(other);
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    cut() {
      for (const socket of open) socket.destroy();
      open.clear();
    },
    async [Symbol.asyncDispose]() {
      this.cut();
      listener.close();
      await once(listener, "close");
    },
  };
}

describe("graphql-ws.mjs", () => {
  it("follows a run to its end, and misses nothing while it is cut off", async () => {
    await using proxy = await startProxy();
    const run = await createRun();
    const client = start("graphql-ws.mjs", [run], { HOLDPOINT_URL: proxy.url });
    await client.prints("READY");
    proxy.cut();
    await cancelRun(run);
    expect(await client.closed, client.output()).toBe(0);
    expect(client.lines().map((line) => line.split(" ")[0])).toEqual(["READY", "CANCELED"]);
    // With a cursor of an earlier session it continues after it.
    const cursor = client.lines()[0]?.split(" ")[1] ?? "";
    const later = start("graphql-ws.mjs", [run, cursor]);
    expect(await later.closed, later.output()).toBe(0);
    expect(later.lines().map((line) => line.split(" ")[0])).toEqual(["CANCELED"]);
  });

  it("begins again if its cursor is none of this stream", async () => {
    const run = await createRun();
    await cancelRun(run);
    const client = start("graphql-ws.mjs", [run, "bm9uZQ"]);
    expect(await client.closed, client.output()).toBe(0);
    expect(client.lines().at(-1)).toMatch(/^CANCELED /);
  });

  it("gives up without a valid token, and if the run does not exist", async () => {
    const stranger = start("graphql-ws.mjs", ["run_1"], { HOLDPOINT_TOKEN: "hpt_nobody" });
    expect(await stranger.closed).toBe(1);
    expect(stranger.output()).toContain("token is not valid");
    const lost = start("graphql-ws.mjs", ["run_1"]);
    expect(await lost.closed).toBe(1);
    expect(lost.output()).toContain("run does not exist");
  });
});

describe.each(["urql.mjs", "apollo.mjs"])("%s", (name) => {
  it("reads a run, follows it to its end, and misses nothing while it is cut off", async () => {
    await using proxy = await startProxy();
    const run = await createRun();
    const client = start(name, [run], { HOLDPOINT_URL: proxy.url });
    await client.prints("\nREADY ");
    proxy.cut();
    await cancelRun(run);
    expect(await client.closed, client.output()).toBe(0);
    // Each item has its cursor, and none comes twice.
    expect(client.lines()).toEqual([
      expect.stringMatching(/^run \d+ is READY$/),
      expect.stringMatching(/^READY [\w-]{10,}$/),
      expect.stringMatching(/^CANCELED [\w-]{10,}$/),
    ]);
  });

  it("shows what came of a command: its success, or the fields that are at fault", async () => {
    const run = await createRun();
    await cancelRun(run);
    const client = start(name, [run, "Check this."]);
    expect(await client.closed, client.output()).toBe(0);
    expect(client.lines()).toContain("commented: Check this.");
    const refused = start(name, [run, ""]);
    expect(await refused.closed, refused.output()).toBe(0);
    expect(refused.output()).toMatch(/^text: \w/m);
    expect(refused.output()).not.toContain("INVALID_INPUT");
  });

  it("reports that there is no such run", async () => {
    const client = start(name, ["run_1"]);
    expect(await client.closed).toBe(1);
    expect(client.output()).toContain("run does not exist");
  });
});

describe("curl.sh", () => {
  it("reads, pages and follows", async () => {
    const run = await createRun();
    const client = start("curl.sh", [run]);
    await client.prints('"run":{"status":"READY"}');
    await cancelRun(run);
    expect(await client.closed, client.output()).toBe(0);
    expect(client.output()).toContain('"role":"ADMIN"');
    expect(client.output()).toContain(`"node":{"id":"${run}"`);
    expect(client.output()).toMatch(/event: next\s+data: .*"to":"CANCELED"/);
    expect(client.output()).toContain("event: complete");
  });
});

describe("wait.sh", () => {
  it("waits for the end of a run", async () => {
    const run = await createRun();
    const client = start("wait.sh", [run, "end"]);
    await waitUntil(() => server.hub.size > 0);
    await cancelRun(run);
    expect(await client.closed, client.output()).toBe(0);
    expect(JSON.parse(client.output())).toMatchObject({ reached: true, run: { id: run, status: "CANCELED" } });
  });

  it("reports the error", async () => {
    const client = start("wait.sh", ["run_1", "end"]);
    expect(await client.closed).toBe(1);
    expect(client.output()).toContain("NOT_FOUND");
  });
});
