import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { MetricsPage } from "../../src/http/observe/metrics.ts";
import { type HttpDeps, startHttpServer } from "../../src/http/server.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { waitFor } from "../support/eventually.ts";
import { fakeCaller } from "../support/fake-domain.ts";
import { createTestGraphql } from "../support/graphql.ts";
import { untilStalled, watchAccepted } from "../support/stalled.ts";

const LARGE = "x".repeat(4 * 1024 * 1024);
const stack = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const used of stack) await used[Symbol.asyncDispose]();
  stack.clear();
});

/** A server whose readiness and metrics the test answers, with the connections that it accepts. */
async function start(more: Partial<HttpDeps>) {
  const reported: unknown[] = [];
  const server = await startHttpServer(
    {
      graphql: createTestGraphql().graphql,
      ingestion: () => undefined,
      authenticate: (secret) => Promise.resolve(secret === "valid" ? fakeCaller : null),
      recheck: () => Promise.resolve(null),
      isReady: () => Promise.resolve(true),
      reportError: (error) => String(reported.push(error)),
      ...more,
    },
    { host: "127.0.0.1", port: 0 },
  );
  stack.add(server);
  return { server, reported, url: `http://127.0.0.1:${server.port}` };
}

function requests(path: string, count: number, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(count);
}

/** Everything that comes until the server closes. */
function received(socket: Socket): { text: string } {
  const all = { text: "" };
  socket.on("data", (piece) => (all.text += piece.toString("latin1"))).on("error", () => undefined);
  return all;
}

/** How many requests Node parsed in this process. */
function countParsed(): { count: number } & Disposable {
  const parsed = { count: 0 };
  const onStart = (): void => void (parsed.count += 1);
  diagnostics.subscribe("http.server.request.start", onStart);
  return Object.assign(parsed, {
    [Symbol.dispose]: () => void diagnostics.unsubscribe("http.server.request.start", onStart),
  });
}

const answersOf = (text: string): string[] => text.match(/HTTP\/1\.1 \d+/g) ?? [];

it("serves pipelined requests one at a time, and all of them", async () => {
  const held: ((isReady: boolean) => void)[] = [];
  const { server } = await start({ isReady: () => new Promise((resolve) => held.push(resolve)) });
  const socket = connect(server.port, "127.0.0.1");
  const answer = received(socket);
  socket.write(requests("/readyz", LIMITS.pipelinedRequests));
  for (let count = 1; count <= LIMITS.pipelinedRequests; count += 1) {
    await waitFor(() => expect(held).toHaveLength(count));
    // Another connection has its own turn: when it was served, this one could have begun more.
    expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
    expect(held).toHaveLength(count);
    held.at(-1)?.(count % 2 === 0);
    await waitFor(() => expect(answersOf(answer.text)).toHaveLength(count));
  }
  expect(answersOf(answer.text).slice(0, 4)).toEqual(
    ["503", "200", "503", "200"].map((status) => `HTTP/1.1 ${status}`),
  );
  socket.destroy();
});

it("serves a pipelined request with a body behind others", async () => {
  const { server } = await start({});
  const socket = connect(server.port, "127.0.0.1");
  const answer = received(socket);
  const body = JSON.stringify({ query: "{ __typename }", variables: { padding: "x".repeat(200_000) } });
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer valid\r\ncontent-type: application/json\r\n`;
  const post = `${head}content-length: ${body.length}\r\n\r\n${body}`;
  socket.write(requests("/readyz", 2) + post + post + requests("/healthz", 1, "connection: close\r\n"));
  await once(socket, "close");
  expect(answersOf(answer.text)).toEqual(Array.from({ length: 5 }, () => "HTTP/1.1 200"));
  expect(answer.text.match(/"__typename":"Query"/g)).toHaveLength(2);
});

it.each([
  ["a page that needs no token", "/readyz", ""],
  ["a token that is not valid", "/graphql", "authorization: Bearer wrong\r\n"],
])("ends a connection that sends more than may wait: %s", async (_what, path, headers) => {
  let asked = 0;
  const never = (): Promise<never> => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const { server, reported, url } = await start({ isReady: never, authenticate: never });
  const socket = connect(server.port, "127.0.0.1");
  const answer = received(socket);
  using parsed = countParsed();
  socket.write(requests(path, 500, headers));
  await once(socket, "close");
  expect([asked, parsed.count, answer.text, reported]).toEqual([1, LIMITS.pipelinedRequests, "", []]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it("begins nothing more for a client that does not read, and continues when it does", async () => {
  using watching = watchAccepted();
  let pages = 0;
  const metrics = (): Promise<MetricsPage> => {
    pages += 1;
    return Promise.resolve({ contentType: "text/plain", text: LARGE });
  };
  const { server } = await start({ metrics });
  const socket = connect(server.port, "127.0.0.1").pause();
  const count = LIMITS.pipelinedRequests;
  socket.write(requests("/metrics", count, "authorization: Bearer valid\r\n"));
  await waitFor(() => expect(pages).toBeGreaterThan(0));
  const [serverSide] = watching.accepted;
  if (serverSide === undefined) throw new Error("No connection was accepted.");
  await untilStalled([serverSide], 25_000);
  const before = pages;
  expect(before).toBeLessThan(count);
  expect(serverSide.writableLength).toBeLessThan(1.1 * LARGE.length);
  // What it sends from here on stays where it is.
  const { bytesRead } = serverSide;
  socket.write(requests("/metrics", 1, "authorization: Bearer valid\r\n"));
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
  expect([pages, serverSide.bytesRead]).toEqual([before, bytesRead]);
  let bytes = 0;
  socket.on("data", (piece) => (bytes += piece.length)).resume();
  await waitFor(() => expect(pages).toBe(count + 1));
  await waitFor(() => expect(bytes).toBeGreaterThan((count + 1) * LARGE.length));
  socket.destroy();
});

it("closes a connection whose client takes nothing of an answer for long, and none that waits for one", async () => {
  using watching = watchAccepted();
  const held: ((isReady: boolean) => void)[] = [];
  const isReady = (): Promise<boolean> => new Promise((resolve) => held.push(resolve));
  const metrics = (): Promise<MetricsPage> => Promise.resolve({ contentType: "text/plain", text: LARGE.repeat(4) });
  const { server } = await start({ metrics, isReady, answerStallMs: 1000 });
  const patient = connect(server.port, "127.0.0.1");
  const answer = received(patient);
  patient.write(requests("/readyz", 1));
  await waitFor(() => expect(held).toHaveLength(1));
  const stalled = connect(server.port, "127.0.0.1").pause();
  stalled.on("error", () => undefined).write(requests("/metrics", 1, "authorization: Bearer valid\r\n"));
  // A client that does not read does not notice the end.
  await waitFor(() => expect(watching.accepted[1]?.destroyed).toBe(true));
  expect(patient.closed).toBe(false);
  held[0]?.(true);
  await waitFor(() => expect(answersOf(answer.text)).toEqual(["HTTP/1.1 200"]));
  for (const socket of [patient, stalled]) socket.destroy();
});

it("does not open a WebSocket on a connection that waits for an answer", async () => {
  const { server } = await start({ isReady: () => new Promise(() => undefined) });
  const socket = connect(server.port, "127.0.0.1");
  const answer = received(socket);
  const upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n";
  const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n";
  socket.write(requests("/readyz", 1) + requests("/graphql", 1, upgrade + key));
  await once(socket, "close");
  expect(answer.text).toBe("");
});

it("asks the database once for all who ask at the same time whether it answers", async () => {
  const held: ((isReady: boolean) => void)[] = [];
  const { url } = await start({ isReady: () => new Promise((resolve) => held.push(resolve)) });
  const answers = Array.from({ length: 10 }, () => fetch(`${url}/readyz`));
  await waitFor(() => expect(held).toHaveLength(1));
  const more = fetch(`${url}/healthz`);
  expect((await more).status).toBe(200);
  expect(held).toHaveLength(1);
  held[0]?.(true);
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
});
