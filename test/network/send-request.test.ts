import type { LookupAddress } from "node:dns";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Resolve } from "../../src/network/guarded-lookup.ts";
import { sendRequest, type TargetResponse, type Transport } from "../../src/network/send-request.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { AllowedTarget } from "../../src/model/kit/allowed-target.ts";
import { startWebhookTarget, status } from "../support/webhook-target.ts";

const target = await startWebhookTarget();
afterAll(() => target[Symbol.asyncDispose]());
beforeEach(() => {
  target.received.length = 0;
  target.answer(status(200));
});

const LOOPBACK: AllowedTarget = { type: "network", address: "127.0.0.1", prefix: 32, port: null };
const NO_PUBLIC = "The address is not public. Name it in HOLDPOINT_WEBHOOK_ALLOW to allow it.";
const never = new AbortController().signal;

function post(url: string, more: Partial<Transport> = {}, limits = {}, signal = never): Promise<TargetResponse> {
  const transport = { allowed: [LOOPBACK], limits: { ...LIMITS.webhookDelivery, ...limits }, ...more };
  return sendRequest({ url, headers: { "webhook-id": "dlv_1" }, body: "{}" }, transport, signal);
}

test("the message is posted, and the answer is read", async () => {
  target.answer(status(201, "made"));
  expect(await post(`${target.url}/hook?a=1`)).toEqual({ statusCode: 201, error: null, text: "made" });
  expect(target.received).toMatchObject([{ path: "/hook?a=1", body: "{}", headers: { "webhook-id": "dlv_1" } }]);
});

test("a redirect is an answer, and is not followed", async () => {
  await using other = await startWebhookTarget();
  target.answer(status(307, "", { location: other.url }));
  expect(await post(target.url)).toMatchObject({ statusCode: 307 });
  expect(other.received).toEqual([]);
});

test("a target that never answers is given up", async () => {
  target.answer(() => undefined);
  const answer = await post(target.url, {}, { totalMs: 50 });
  expect(answer).toEqual({ statusCode: null, error: "The target sent no response within 50 ms.", text: "" });
});

test("a target that never takes the connection is given up", async () => {
  const resolve: Resolve = () => undefined;
  const answer = await post("http://nowhere.test/", { resolve }, { connectMs: 50 });
  expect(answer.error).toBe("The target accepted no connection within 50 ms.");
});

test("of an endless answer the beginning is read, and the connection is closed", async () => {
  let closed: Promise<unknown> = Promise.resolve();
  target.answer((response) => {
    closed = new Promise((resolve) => response.once("close", resolve));
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(16 * 1024))) continue;
    };
    response.on("drain", more);
    more();
  });
  const answer = await post(target.url);
  expect(answer.statusCode).toBe(200);
  expect(answer.text).toHaveLength(64 * 1024);
  await closed;
});

test("an answer that begins and does not end counts with its status", async () => {
  target.answer((response) => response.writeHead(200).write("so far"));
  expect(await post(target.url, {}, { totalMs: 2000 })).toEqual({ statusCode: 200, error: null, text: "so far" });
});

test("nobody listens", async () => {
  const gone = await startWebhookTarget();
  await gone[Symbol.asyncDispose]();
  expect((await post(gone.url)).error).toContain("ECONNREFUSED");
});

test.each([
  ["not HTTP", "220 smtp.example ESMTP\r\n"],
  ["an upgrade that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
  ["endless headers", `HTTP/1.1 200 OK\r\n${"x-a: 1\r\n".repeat(20_000)}`],
])("%s is a failure", async (_what, text) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    socket.write(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answer = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {}, { totalMs: 2000 });
  expect(answer.statusCode).toBe(null);
  expect(answer.error).toMatch(/\w/);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test.each(["127.0.0.1", "2130706433", "0177.0.0.1", "localhost"])(
  "%s is refused where nobody allows it",
  async (host) => {
    const answer = await post(`http://${host}:${target.port}/`, { allowed: [] });
    expect(answer).toEqual({ statusCode: null, error: NO_PUBLIC, text: "" });
    expect(target.received).toEqual([]);
  },
);

test("a name is checked by the very addresses that are connected to", async () => {
  const answers: LookupAddress[][] = [
    [{ address: "127.0.0.1", family: 4 }],
    [
      { address: "8.8.8.8", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
    [{ address: "::ffff:127.0.0.1", family: 6 }],
  ];
  const resolve: Resolve = (_name, _options, callback) => callback(null, answers.shift() ?? []);
  const url = `http://rebinding.test:${target.port}/`;
  expect((await post(url, { resolve })).statusCode).toBe(200);
  expect((await post(url, { resolve, allowed: [] })).error).toBe(NO_PUBLIC);
  expect((await post(url, { resolve, allowed: [] })).error).toBe(NO_PUBLIC);
  expect(answers).toEqual([]);
  expect(target.received).toHaveLength(1);
});

test("proxies of the environment are not used", async () => {
  await using proxy = await startWebhookTarget();
  for (const name of ["HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, proxy.url);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect((await post(target.url)).statusCode).toBe(200);
  vi.unstubAllEnvs();
  expect(proxy.received).toEqual([]);
});

test("whoever stops the server ends the request", async () => {
  const stop = new AbortController();
  target.answer(() => stop.abort());
  await expect(post(target.url, {}, {}, stop.signal)).rejects.toThrow(/abort/i);
});
