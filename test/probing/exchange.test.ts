/** What a target receives from a probe, and what is read of its answer. */
import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import type { ProbeAnswer } from "../../src/model/probe/judge-answer.ts";
import type { GraphqlProbeRequest } from "../../src/model/probe/probe-request.ts";
import { createProber } from "../../src/probing/prober.ts";
import { local, probe } from "../support/loopback-probe.ts";
import { expectation, httpRequest, httpTarget, rawTarget } from "../support/probe-targets.ts";

test("a target is asked for an answer that is not compressed, whatever the headers of the probe are", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const { port } = await httpTarget((request, response) => {
    seen.push(request.headers);
    response.end();
  });
  const headers = [
    { name: "Accept-Encoding", value: "gzip" },
    { name: "User-Agent", value: "mine" },
  ];
  await probe(httpRequest(local(port)));
  await probe(httpRequest(local(port), { headers }));
  const usual = { accept: "*/*", "accept-encoding": "identity" };
  expect(seen).toMatchObject([
    { ...usual, "user-agent": "Holdpoint-Probe" },
    { ...usual, "user-agent": "mine" },
  ]);
});

test("GRAPHQL posts JSON and asks for JSON", async () => {
  const seen: unknown[] = [];
  const { port } = await httpTarget(({ method, headers }, response) => {
    seen.push([method, headers["content-type"], headers["content-length"], headers.accept]);
    response.end('{"data":{}}');
  });
  const request: GraphqlProbeRequest = {
    kind: "GRAPHQL",
    url: local(port, "/graphql"),
    headers: [],
    body: '{"query":"{é}"}',
    followRedirects: false,
    expect: expectation(),
    timeoutMs: 5000,
  };
  expect(await probe(request)).toMatchObject({ ok: true });
  expect(seen).toEqual([["POST", "application/json", "16", "application/graphql-response+json, application/json"]]);
});

test("an expression reads the headers of an answer, those of one name together", async () => {
  const { port } = await httpTarget((_request, response) => {
    response.writeHead(200, { "X-One": "1", "Set-Cookie": ["a=1", "b=2"] }).end();
  });
  const answers: ProbeAnswer[] = [];
  const evaluate = (_text: string, answer: ProbeAnswer): Promise<"TRUE"> => {
    answers.push(answer);
    return Promise.resolve("TRUE");
  };
  const request = httpRequest(local(port), { expect: expectation({ expression: "x" }) });
  expect(await probe(request, { evaluator: { evaluate } })).toMatchObject({ ok: true });
  expect(answers).toMatchObject([{ status: 200, headers: { "x-one": "1", "set-cookie": "a=1, b=2" } }]);
});

test("a connection that is reset while its answer is read is named as that", async () => {
  const { port } = await rawTarget((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const request = { kind: "TCP", host: "127.0.0.1", port, body: "PING", timeoutMs: 5000 } as const;
  expect(await probe({ ...request, expect: expectation({ bodyContains: "PONG" }) })).toMatchObject({
    failure: "CONNECT",
    reason: "The connection was reset.",
  });
});

test("a prober measures its probes, and allows the addresses that it was given", async () => {
  const { port } = await httpTarget((_request, response) => void response.end());
  const prober = createProber({
    allowed: [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }],
    clock: () => new Date(),
    evaluator: {
      evaluate: () => Promise.resolve("TRUE"),
      check: (expression, kind) => Promise.resolve(`${kind} ${expression}`),
      close: async () => {},
    },
  });
  const { ok, latencyMs } = await prober.probe(httpRequest(local(port)));
  expect([ok, Number.isInteger(latencyMs)]).toEqual([true, true]);
  expect(["127.0.0.1", "127.0.0.2", "8.8.8.8"].map((host) => prober.allows({ host, port }))).toEqual([
    true,
    false,
    true,
  ]);
  expect(await prober.checkExpression("x", "HTTP")).toBe("HTTP x");
});
