/** Requests of external checks as a runner sends them: in its network, by its guard. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CheckRequestAnswer, CheckRequestReport } from "../../../src/ingestion/wire.ts";
import { sendCheckRequests } from "../../../src/runner/check/check-requests.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { RUNNER_SELF } from "../../support/fake-runner.ts";
import { createArrivals, startWebhookTarget, status } from "../../support/webhook-target.ts";

/** A server of the protocol that has these requests, one for each lease. */
async function startServer(...requests: CheckRequestAnswer[]) {
  const reports = createArrivals<CheckRequestReport>();
  const leases = createArrivals<{ leaseId: string }>();
  let refusal: number | null = null;
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url?.endsWith("/report") === true) {
        response.writeHead(204).end();
        return reports.push(body);
      }
      leases.push(body);
      if (refusal !== null) return void response.writeHead(refusal).end(JSON.stringify({ code: "X", message: "x" }));
      const offered = requests.shift();
      if (offered === undefined) return void held.push(() => response.writeHead(204).end());
      response.writeHead(200).end(JSON.stringify(offered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    leases,
    refuse: (code: number) => (refusal = code),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return JSON.parse(Buffer.concat(pieces).toString());
}

const requestTo = (url: string, id = "chkq_1"): CheckRequestAnswer => ({
  id,
  fence: 1,
  leaseMs: 30_000,
  url,
  headers: { "content-type": "application/json", "x-tfc-task-signature": "signed" },
  body: '{"stage":"test"}',
});

let stop: AbortController;
let service: Awaited<ReturnType<typeof startWebhookTarget>>;
beforeEach(async () => {
  stop = new AbortController();
  service = await startWebhookTarget();
  service.answer(status(200));
});
afterEach(async () => {
  stop.abort();
  await service[Symbol.asyncDispose]();
});

const LOOPBACK = [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }] as const;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let ids = 0;

function start(url: string, networkAllow: Parameters<typeof sendCheckRequests>[0]["networkAllow"] = []): Promise<void> {
  const runner = { runner: RUNNER_SELF, engine: null };
  const randomId = () => `${"0".repeat(16)}${++ids}`;
  const own = { serverUrl: url, token: "hpr_x", runner, networkAllow, randomId, log: quiet, signal: stop.signal };
  return sendCheckRequests({ ...own, limits: { ...RUNNER_LIMITS, backOffFirstMs: 1, backOffLastMs: 5 } });
}

it("sends a request as it is, and reports its status", async () => {
  await using server = await startServer(requestTo(`${service.url}/check`));
  const sending = start(server.url, LOOPBACK);
  expect(await server.reports.next()).toEqual({ id: "chkq_1", fence: 1, statusCode: 200, error: null });
  expect(service.received).toMatchObject([
    { path: "/check", body: '{"stage":"test"}', headers: { "x-tfc-task-signature": "signed" } },
  ]);
  stop.abort();
  await sending;
});

it("does not follow a redirect to the metadata of a cloud", async () => {
  service.answer(status(302, "", { location: "http://169.254.169.254/latest/" }));
  await using server = await startServer(requestTo(service.url));
  const sending = start(server.url, LOOPBACK);
  expect(await server.reports.next()).toMatchObject({ statusCode: 302, error: null });
  stop.abort();
  await sending;
});

it("reaches neither its machine nor metadata services, and says so", async () => {
  const targets = [service.url, "http://169.254.169.254/", "http://[::ffff:169.254.169.254]/", "http://localhost:1/"];
  await using server = await startServer(...targets.map((url) => requestTo(url)));
  const sending = start(server.url);
  for (const _target of targets) {
    const { statusCode, error } = await server.reports.next();
    expect([statusCode, error]).toEqual([null, expect.stringContaining("HOLDPOINT_RUNNER_NETWORK_ALLOW")]);
    expect(error?.length).toBeLessThanOrEqual(300);
  }
  expect(service.received).toEqual([]);
  stop.abort();
  await sending;
});

it("reports what it has before it ends", async () => {
  const answering = createArrivals<() => void>();
  service.answer((response) => answering.push(() => void response.writeHead(200).end()));
  await using server = await startServer(requestTo(service.url));
  const sending = start(server.url, LOOPBACK);
  const answer = await answering.next();
  stop.abort();
  answer();
  await sending;
  expect(await server.reports.next()).toMatchObject({ statusCode: 200 });
});

it("asks with one id until the server answers", async () => {
  await using server = await startServer(requestTo(service.url));
  server.refuse(503);
  const sending = start(server.url, LOOPBACK);
  const [first, second] = [await server.leases.next(), await server.leases.next()];
  expect(second.leaseId).toBe(first.leaseId);
  stop.abort();
  await sending;
});

it.each([401, 403, 404])("asks no more after %s", async (code) => {
  await using server = await startServer();
  server.refuse(code);
  await start(server.url);
  expect(await server.leases.next()).toHaveProperty("leaseId");
});
