import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import type { GraphqlProbeRequest, ProbeRequest } from "../../src/model/probe/probe-request.ts";
import { PROBE_LIMITS } from "../../src/model/probe/probe-limits.ts";
import type { ProbeSample } from "../../src/model/probe/probe-sample.ts";
import type { ExpressionOutcome } from "../../src/model/probe/prober.ts";
import {
  bytesTarget,
  CERTIFICATES,
  expectation,
  httpRequest,
  httpsTarget,
  httpTarget,
  rawTarget,
} from "../support/probe-targets.ts";
import { waitUntil } from "../support/eventually.ts";
import { local, probe } from "../support/loopback-probe.ts";

const CANARY = "canary-91b2";
const OK = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
/** A limit that is waited for. */
const SHORT_MS = 150;

const tcp = (port: number, changed: object = {}): ProbeRequest => ({
  kind: "TCP",
  host: "127.0.0.1",
  port,
  body: null,
  expect: expectation(),
  timeoutMs: 5000,
  ...changed,
});
const tls = (port: number, changed: object = {}): ProbeRequest => ({
  kind: "TLS",
  host: "127.0.0.1",
  port,
  serverName: "localhost",
  expect: expectation(),
  timeoutMs: 5000,
  ...changed,
});

test("a good answer passes, and the first path that answers well decides", async () => {
  const { port } = await httpTarget((request, response) => {
    response.writeHead(request.url === "/healthz" ? 204 : 404).end();
  });
  const urls = ["/", "/health", "/healthz"].map((path) => local(port, path));
  expect(await probe(httpRequest("", { urls }))).toMatchObject({ ok: true, failure: null, reason: null });
  expect(await probe(httpRequest(local(port)))).toMatchObject({
    ok: false,
    failure: "STATUS",
    reason: "It answered with status 404; expected is 2xx, 3xx.",
  });
});

test("a connection that has ended does not keep its request", async () => {
  const { port } = await httpTarget((_request, response) => response.end());
  const opened: Socket[] = [];
  const note = (message: unknown): void => void opened.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", note);
  const sample = await probe(httpRequest(local(port))).finally(() => unsubscribe("net.client.socket", note));
  expect(sample).toMatchObject({ ok: true });
  // The target may be in this process, but its connections are not opened by it.
  expect(opened).toHaveLength(1);
  await waitUntil(() => Reflect.get(opened[0] ?? {}, "_httpMessage") === null);
});

test("method, headers and body are sent", async () => {
  const seen: unknown[] = [];
  const { port } = await httpTarget((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.once("end", () => {
      seen.push([request.method, request.headers["x-key"], request.headers["host"], body]);
      response.end();
    });
  });
  const headers = [
    { name: "X-Key", value: "k" },
    { name: "Host", value: "shop.example" },
  ];
  await probe(httpRequest(local(port), { method: "POST", headers, body: "b" }));
  await probe(httpRequest(local(port), { method: "HEAD" }));
  expect(seen).toEqual([
    ["POST", "k", "shop.example", "b"],
    ["HEAD", undefined, `127.0.0.1:${port}`, ""],
  ]);
});

test("GRAPHQL posts its document, and errors fail", async () => {
  let answer = '{"data":{"ok":true}}';
  const seen: string[] = [];
  const { port } = await httpTarget((request, response) => {
    request.on("data", (piece) => seen.push(String(piece)));
    request.once("end", () => response.end(answer));
  });
  const request: GraphqlProbeRequest = {
    kind: "GRAPHQL",
    url: local(port, "/graphql"),
    headers: [],
    body: '{"query":"{ok}","variables":{}}',
    followRedirects: false,
    expect: expectation({ expression: "data.ok" }),
    timeoutMs: 5000,
  };
  expect((await probe(request)).ok).toBe(true);
  expect(seen).toEqual(['{"query":"{ok}","variables":{}}']);
  answer = `{"data":null,"errors":[{"message":"${CANARY}"}]}`;
  const failed = await probe(request);
  expect(failed.failure).toBe("GRAPHQL_ERRORS");
  expect(JSON.stringify(failed)).not.toContain(CANARY);
});

test.each<[ExpressionOutcome, RegExp | null]>([
  ["TRUE", null],
  ["FALSE", /is false/],
  ["ERROR", /cannot be evaluated/],
  ["LIMIT", /250 ms of CPU/],
])("an expression that is %s", async (outcome, words) => {
  const { port } = await httpTarget((_request, response) => response.end(CANARY));
  const evaluate = vi.fn((_text: string, { body }: { body: string }) => {
    expect(body).toBe(CANARY);
    return Promise.resolve(outcome);
  });
  const request = httpRequest(local(port), { expect: expectation({ expression: "x" }) });
  const sample = await probe(request, { evaluator: { evaluate } });
  expect(sample.failure).toBe(words === null ? null : "EXPRESSION");
  if (words !== null) expect(sample.reason).toMatch(words);
  expect(JSON.stringify(sample)).not.toContain(CANARY);
});

test.each<[string, string, string]>([
  ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "PROTOCOL"],
  ["nothing", "", "CONNECT"],
  ["a broken chunk", `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`, "PROTOCOL"],
  ["a body that breaks off", `${OK}Content-Length: 100\r\n\r\nabc`, "CONNECT"],
  ["two lengths", `${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`, "PROTOCOL"],
  ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "PROTOCOL"],
  ["a head of 5 KiB", `${OK}X-Long: ${"a".repeat(5000)}\r\n\r\n`, "PROTOCOL"],
  ["endless heads", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), "CONNECT"],
])("an answer of %s fails", async (_name, bytes, failure) => {
  const { port } = await bytesTarget(bytes);
  const sample = await probe(httpRequest(local(port)));
  expect(sample).toMatchObject({ ok: false, failure });
  expect(sample.reason).not.toBeNull();
});

/** Sends bytes as long as the socket takes them. */
function sendWithoutEnd(socket: Socket): void {
  const piece = Buffer.alloc(16_384, "a");
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

test("of a body without end 64 KiB are read, and the connection is closed", async () => {
  let closed = (): void => undefined;
  const ended = new Promise<void>((done) => (closed = done));
  const { port } = await rawTarget((socket) => {
    socket.once("data", () => {
      socket.write(`${OK}Content-Length: ${1024 ** 3}\r\n\r\n`);
      sendWithoutEnd(socket);
    });
    socket.once("close", closed);
  });
  const opened: Socket[] = [];
  const note = (message: unknown): void => void opened.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", note);
  const sample = await probe(httpRequest(local(port))).finally(() => unsubscribe("net.client.socket", note));
  expect(sample.ok).toBe(true);
  await ended;
  expect(opened).toHaveLength(1);
  // The last read, of 64 KiB at most, is not cut, and one more may be in the buffer of the stream.
  const read = opened[0]?.bytesRead ?? 0;
  expect(read).toBeGreaterThanOrEqual(PROBE_LIMITS.answerBytes);
  expect(read).toBeLessThanOrEqual(PROBE_LIMITS.answerBytes + 2 * 65_536);
});

test("of endless bytes over TCP 64 KiB are read for a text, and the connection is closed", async () => {
  let closed = (): void => undefined;
  const ended = new Promise<void>((done) => (closed = done));
  const { port } = await rawTarget((socket) => {
    socket.once("close", closed);
    sendWithoutEnd(socket);
  });
  const sample = await probe(tcp(port, { expect: expectation({ bodyContains: "end" }) }));
  expect(sample).toMatchObject({ ok: false, failure: "BODY" });
  await ended;
});

test("an answer without a header is an answer", async () => {
  const { port } = await bytesTarget("HTTP/1.1 200 OK\r\n\r\nbody");
  const request = httpRequest(local(port), { expect: expectation({ bodyContains: "body" }) });
  expect(await probe(request)).toMatchObject({ ok: true, failure: null });
});

test("what a body has after 64 KiB is not found", async () => {
  const bodies = [0, 1].map((over) => `${"a".repeat(PROBE_LIMITS.answerBytes - 3 + over)}end`);
  const { port } = await httpTarget((request, response) => void response.end(bodies[Number(request.url?.slice(1))]));
  const expected = expectation({ bodyContains: "end" });
  const samples = await Promise.all(
    ["/0", "/1"].map((path) => probe(httpRequest(local(port, path), { expect: expected }))),
  );
  expect(samples.map(({ failure }) => failure)).toEqual([null, "BODY"]);
});

test.each<[string, (write: (text: string) => void) => void]>([
  ["sends nothing", () => undefined],
  ["sends a head without end", (write) => write("HTTP/1.1 200 OK\r\nX: ")],
  ["sends half a body", (write) => write(`${OK}Content-Length: 100\r\n\r\nabc`)],
])("a server that %s is left after the limit", async (_name, answer) => {
  const { port } = await rawTarget((socket) => {
    socket.once("data", () => answer((text) => void socket.write(text)));
  });
  expect(await probe(httpRequest(local(port), { timeoutMs: SHORT_MS }))).toEqual({
    ok: false,
    latencyMs: null,
    failure: "TIMEOUT",
    reason: "There was no whole answer within 150 ms.",
  });
});

test.each([
  ["body", `${OK}Content-Length: 1000\r\n\r\n`],
  ["head", "HTTP/1.1 200 OK\r\nX: "],
])("a server that sends a %s byte after byte is left after the limit", async (_part, beginning) => {
  const { port } = await rawTarget((socket) => {
    socket.once("data", () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write("a"), 10);
      socket.once("close", () => clearInterval(timer));
    });
  });
  expect((await probe(httpRequest(local(port), { timeoutMs: SHORT_MS }))).failure).toBe("TIMEOUT");
});

test("a closed port fails, and a stop rejects", async () => {
  const { port } = await rawTarget((socket) => socket.destroy());
  expect((await probe(tcp(port, { expect: expectation({ bodyContains: "x" }) }))).ok).toBe(false);
  const stop = new AbortController();
  const silent = await rawTarget(() => stop.abort(new Error("stopped")));
  await expect(probe(httpRequest(local(silent.port)), { signal: stop.signal })).rejects.toThrow("stopped");
});

test("redirects pass unless they are followed, five at most", async () => {
  const { port, connections } = await httpTarget((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.writeHead(500).end();
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  expect((await probe(httpRequest(local(port, "/3")))).ok).toBe(true);
  expect(connections()).toBe(1);
  const followed = { followRedirects: true };
  expect((await probe(httpRequest(local(port, "/5"), followed))).failure).toBe("STATUS");
  expect((await probe(httpRequest(local(port, "/6"), followed))).reason).toMatch(/more than 5 times/);
});

test("a redirect to another site gets no header and no body", async () => {
  const seen: unknown[] = [];
  const other = await httpTarget((request, response) => {
    seen.push([request.method, request.headers["x-key"]]);
    response.end();
  });
  let status = 302;
  const { port } = await httpTarget((_request, response) => {
    response.writeHead(status, { location: local(other.port) }).end();
  });
  const request = httpRequest(local(port), {
    method: "POST",
    headers: [{ name: "x-key", value: CANARY }],
    body: CANARY,
    followRedirects: true,
  });
  expect((await probe(request)).ok).toBe(true);
  expect(seen).toEqual([["GET", undefined]]);
  status = 307;
  expect((await probe(request)).failure).toBe("PROTOCOL");
  expect(seen).toHaveLength(1);
});

test.each(["file:///etc/passwd", "http://a:b@127.0.0.1/", "http://[", "javascript:1"])(
  "a redirect to %s is not followed",
  async (location) => {
    const { port } = await httpTarget((_request, response) => response.writeHead(302, { location }).end());
    expect((await probe(httpRequest(local(port), { followRedirects: true }))).failure).toBe("PROTOCOL");
  },
);

test("TCP connects, sends bytes and reads until the text has come", async () => {
  const { port } = await rawTarget((socket) => {
    socket.on("data", (bytes) => socket.write(bytes.toString() === "PING\n" ? "+PO" : "-"));
    socket.on("data", () => socket.write("NG\n"));
  });
  expect((await probe(tcp(port))).ok).toBe(true);
  const ping = { body: "PING\n", expect: expectation({ bodyContains: "+PONG" }) };
  expect((await probe(tcp(port, ping))).ok).toBe(true);
});

test("TLS checks the certificate and the days for which it is valid", async () => {
  const { port } = await httpsTarget((_request, response) => response.end());
  const ca = CERTIFICATES.valid;
  expect((await probe(tls(port), { ca })).ok).toBe(true);
  expect((await probe(tls(port, { serverName: null }), { ca })).ok).toBe(true);
  const days = (certificateDays: number): object => ({ expect: expectation({ certificateDays }) });
  const late = { ca, clock: () => new Date("2126-10-20T00:00:00Z") };
  expect((await probe(tls(port, days(5)), late)).ok).toBe(true);
  expect(await probe(tls(port, days(30)), late)).toMatchObject({ failure: "CERTIFICATE_ENDS" });
  expect(await probe(tls(port, { serverName: "shop.example" }), { ca })).toMatchObject({
    failure: "TLS",
    reason: "The certificate is for another name.",
  });
  expect((await probe(tls(port))).failure).toBe("TLS");
  expect((await probe(httpRequest(`https://127.0.0.1:${port}/`), { ca })).ok).toBe(true);
});

test("HTTPS asks for the name of the Host header", async () => {
  const { port } = await httpsTarget((request, response) => response.end(request.headers["host"]));
  const withHost = (value: string): Promise<ProbeSample> =>
    probe(httpRequest(`https://127.0.0.1:${port}/`, { headers: [{ name: "Host", value }] }), {
      ca: CERTIFICATES.valid,
    });
  expect(await withHost("localhost:8443")).toMatchObject({ ok: true });
  expect(await withHost("shop.example")).toMatchObject({ reason: "The certificate is for another name." });
  // An address is not asked for: the certificate must be that of the address itself.
  expect(await withHost("[::1]:8443")).toMatchObject({ ok: true });
});

test("a certificate of tomorrow fails, over TLS and HTTPS", async () => {
  const { port } = await httpsTarget((_request, response) => response.end(), CERTIFICATES.notYetValid);
  const tools = { ca: CERTIFICATES.notYetValid };
  const failed = { failure: "TLS", reason: "The certificate is not valid yet." };
  expect(await probe(tls(port), tools)).toMatchObject(failed);
  expect(await probe(httpRequest(`https://127.0.0.1:${port}/`), tools)).toMatchObject(failed);
});

test("a server without TLS fails", async () => {
  const { port } = await bytesTarget("HTTP/1.1 400 Bad Request\r\n\r\n");
  expect((await probe(tls(port), { ca: CERTIFICATES.valid })).failure).toBe("TLS");
});

test("a server that hangs in the handshake of TLS is left after the limit", async () => {
  const { port } = await rawTarget((socket) => socket.resume());
  const tools = { ca: CERTIFICATES.valid };
  const late = { ok: false, failure: "TIMEOUT" };
  expect(await probe(tls(port, { timeoutMs: SHORT_MS }), tools)).toMatchObject(late);
  const https = httpRequest(`https://127.0.0.1:${port}/`, { timeoutMs: SHORT_MS });
  expect(await probe(https, tools)).toMatchObject(late);
});
