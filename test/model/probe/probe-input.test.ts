import { expect, test } from "vitest";
import { problemsOfProbe, problemsOfProbes } from "../../../src/model/probe/probe-input.ts";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import { expectation, probeOf } from "../../support/probe-targets.ts";

const header = (name: string, value = "x"): { headers: { name: string; value: string }[] } => ({
  headers: [{ name, value }],
});

test.each<[string, Partial<Probe>]>([
  ["HTTP", { paths: ["/", "/ready"], expect: expectation({ statuses: ["200", "4xx"], expression: "status == 200" }) }],
  ["a POST", { method: "POST", body: '{"a":{"b":1}}', ...header("X-Key", "{{var.KEY}}") }],
  ["GRAPHQL", { kind: "GRAPHQL", body: "{ a(x: {b: {c: 1}}) { d } }", variables: { n: 1 } }],
  [
    "TCP",
    { kind: "TCP", target: "{{outputs.host}}:5432", body: "PING", expect: expectation({ bodyContains: "PONG" }) },
  ],
  [
    "TLS",
    {
      kind: "TLS",
      target: "[2606:4700::1]:443",
      serverName: "a.example",
      expect: expectation({ certificateDays: 14 }),
    },
  ],
  ["COMMAND", { kind: "COMMAND", use: "VERIFY", target: "curl -f localhost" }],
  ["CHECKS", { kind: "CHECKS", use: "VERIFY", target: "" }],
  ["EXTERNAL", { kind: "EXTERNAL", use: "VERIFY", target: "smoke tests" }],
])("%s is valid", (_kind, changed) => {
  expect(problemsOfProbe(probeOf(changed))).toEqual([]);
});

test.each<[string, Partial<Probe>, RegExp]>([
  ["name", { name: "" }, /1 to 63/],
  ["name", { name: "Web 1" }, /small letters/],
  ["name", { name: "a".repeat(64) }, /1 to 63/],
  ["use", { kind: "CHECKS", target: "" }, /VERIFY/],
  ["use", { kind: "COMMAND", use: "HEALTH", target: "true" }, /VERIFY/],
  ["from", { kind: "COMMAND", use: "VERIFY", from: "SERVER", target: "true" }, /RUNNERS/],
  ["target", { target: "" }, /1 to 2000/],
  ["target", { target: "ftp://a/" }, /https:\/\//],
  ["target", { target: "http://a:b@c/" }, /password/],
  ["target", { target: "http://a/ b" }, /white space/],
  ["target", { target: "http://a:0/" }, /port/],
  ["target", { target: `http://a/${"b".repeat(2000)}` }, /1 to 2000/],
  ["target", { kind: "EXTERNAL", use: "VERIFY", target: "  " }, /not all blank/],
  ["target", { kind: "GRAPHQL", body: "{a}", target: "ftp://a/" }, /https:\/\//],
  ["target", { target: "http://:b@c/" }, /password/],
  ["target", { target: "http://a@c/" }, /password/],
  ["target", { kind: "TCP", target: "example.com" }, /such as db\.example\.com:5432 or \{\{outputs\.host\}\}:443\.$/],
  ["target", { kind: "TCP", target: "x/example.com:1" }, /host and a port/],
  ["expect.statuses", { kind: "TCP", target: "a:1", expect: expectation({ statuses: ["200"] }) }, /HTTP alone/],
  [
    "expect.bodyContains",
    { kind: "TLS", target: "a:1", expect: expectation({ bodyContains: "x" }) },
    /HTTP, GRAPHQL, TCP alone/,
  ],
  [
    "expect.expression",
    { kind: "TCP", target: "a:1", expect: expectation({ expression: "true" }) },
    /HTTP, GRAPHQL alone/,
  ],
  [
    "expect.maxLatencyMs",
    { kind: "CHECKS", use: "VERIFY", target: "", expect: expectation({ maxLatencyMs: 1 }) },
    /HTTP, GRAPHQL, TCP, TLS alone/,
  ],
  [
    "expect.statuses",
    { expect: expectation({ statuses: Array.from({ length: 21 }, () => "200") }) },
    /^must have at most 20 entries\.$/,
  ],
  ["expect.certificateDays", { kind: "TLS", target: "a:1", expect: expectation({ certificateDays: -1 }) }, /from 0 to/],
  ["variables", { kind: "GRAPHQL", body: "{a}", variables: { a: "x".repeat(16_385) } }, /16384/],
  ["body", { method: "POST", body: "{{outputs.a" }, /without its end/],
  ["headers.0.name", header("Expect"), /connection/],
  ["headers.0.name", header("Keep-Alive"), /connection/],
  ["headers.0.name", header("Trailer"), /connection/],
  ["paths.0", { paths: [`/${"a".repeat(500)}`] }, /500/],
  ["target", { target: "{{outputs.a" }, /without its end/],
  ["target", { target: "http://{{var.KEY}}/" }, /headers alone/],
  ["target", { kind: "TCP", target: "example.com" }, /host and a port/],
  ["target", { kind: "TCP", target: "example.com:0" }, /host and a port/],
  ["target", { kind: "TCP", target: "example.com:65536" }, /host and a port/],
  ["target", { kind: "CHECKS", use: "VERIFY", target: "x" }, /empty/],
  ["target", { kind: "COMMAND", use: "VERIFY", target: "x".repeat(8193) }, /8192/],
  ["method", { kind: "TCP", target: "a:1", method: "POST" }, /HTTP alone/],
  ["headers", { kind: "TCP", target: "a:1", ...header("x") }, /HTTP, GRAPHQL alone/],
  ["variables", { variables: {} }, /GRAPHQL alone/],
  ["variables", { kind: "GRAPHQL", body: "{a}", variables: [1] }, /object/],
  ["serverName", { serverName: "a" }, /TLS alone/],
  ["serverName", { kind: "TLS", target: "a:1", serverName: "a b" }, /name of a host/],
  ["body", { kind: "GRAPHQL" }, /document/],
  ["body", { body: "x" }, /POST alone/],
  ["body", { method: "POST", body: "x".repeat(16_385) }, /16384/],
  ["body", { method: "POST", body: "{{var.KEY}}" }, /headers alone/],
  ["body", { method: "POST", body: "{{outputs.a[*]}}" }, /target alone/],
  ["paths", { paths: Array.from({ length: 11 }, () => "/") }, /10 entries/],
  ["paths.0", { paths: ["ready"] }, /begins with one/],
  ["paths.0", { paths: ["//evil.example/"] }, /begins with one/],
  ["paths.0", { paths: ["/\\evil.example/"] }, /begins with one/],
  ["headers", { headers: Array.from({ length: 21 }, (_, n) => ({ name: `x-${n}`, value: "" })) }, /20 entries/],
  ["headers", header("x", "y".repeat(4096)), /4096 bytes/],
  ["headers.0.name", header("x y"), /name of a header/],
  ["headers.0.name", header("Transfer-Encoding"), /connection/],
  ["headers.0.name", header("Proxy-Authorization"), /connection/],
  ["headers.0.value", header("x", "a\r\nb: c"), /printable/],
  ["headers.0.value", header("x", "{{outputs.a[*]}}"), /target alone/],
  ["expect.statuses.1", { expect: expectation({ statuses: ["200", "6xx"] }) }, /2xx/],
  ["expect.bodyContains", { expect: expectation({ bodyContains: "" }) }, /500/],
  ["expect.expression", { expect: expectation({ expression: "x".repeat(2001) }) }, /2000/],
  ["expect.maxLatencyMs", { expect: expectation({ maxLatencyMs: 0 }) }, /from 1 to 10000/],
  ["expect.certificateDays", { expect: expectation({ certificateDays: 3 }) }, /TLS alone/],
  ["intervalSeconds", { intervalSeconds: 1 }, /from 10 to 3600/],
  ["intervalSeconds", { intervalSeconds: 10.5 }, /whole number/],
  ["timeoutMs", { timeoutMs: 10_001 }, /from 100 to 10000/],
])("%s is refused for %o", (path, changed, words) => {
  const problems = problemsOfProbe(probeOf(changed));
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(problems[0]?.message).toMatch(words);
});

test("what is just within the limits is valid", () => {
  const most = { name: "x", value: "y".repeat(4095) };
  for (const changed of [
    { headers: Array.from({ length: 20 }, (_, n) => ({ name: `x-${n}`, value: "" })) },
    { headers: [most] },
    { paths: Array.from({ length: 10 }, () => `/${"a".repeat(499)}`) },
    { paths: ["/a//b"] },
    { method: "POST", body: "x".repeat(16_384) },
    { kind: "GRAPHQL", body: "{a}", variables: { a: "x".repeat(16_384 - 8) } },
    { expect: expectation({ statuses: Array.from({ length: 20 }, () => "2xx"), maxLatencyMs: 10_000 }) },
    { timeoutMs: 10_000, intervalSeconds: 3600 },
    { timeoutMs: 100, intervalSeconds: 10 },
    { kind: "TCP", target: "a:65535" },
    { kind: "EXTERNAL", use: "VERIFY", from: "SERVER", target: "smoke" },
  ] as Partial<Probe>[]) {
    expect(problemsOfProbe(probeOf(changed)), JSON.stringify(changed).slice(0, 80)).toEqual([]);
  }
});

test("a workspace has 20 probes, whose names differ", () => {
  const named = (count: number): Probe[] => Array.from({ length: count }, (_, n) => probeOf({ name: `p${n}` }));
  expect(problemsOfProbes(named(20))).toEqual([]);
  expect(problemsOfProbes(named(21))).toEqual([{ path: "", message: "must have at most 20 entries, not 21." }]);
  expect(problemsOfProbes([probeOf(), probeOf()])).toEqual([
    { path: "1.name", message: "is already the name of another probe." },
  ]);
  expect(problemsOfProbes([probeOf(), probeOf({ name: "b", timeoutMs: 1 })])).toEqual([
    { path: "1.timeoutMs", message: "must be a whole number from 100 to 10000." },
  ]);
});

test("a name and a target may be as long as their limits", () => {
  expect(problemsOfProbe(probeOf({ name: "a".repeat(PROBE_LIMITS.probeNameLength) }))).toEqual([]);
  expect(problemsOfProbe(probeOf({ target: "http://a/".padEnd(PROBE_LIMITS.targetLength, "b") }))).toEqual([]);
});

test("a target that is in part an output is checked once it is filled in", () => {
  expect(problemsOfProbe(probeOf({ target: "{{outputs.url}}/ready" }))).toEqual([]);
});

test("a body with a list in it is refused, also beside other text", () => {
  const problems = problemsOfProbe(probeOf({ method: "POST", body: "hosts: {{outputs.hosts[*]}}" }));
  expect(problems).toEqual([{ path: "body", message: "must not have [*]: it is for the target alone." }]);
});

test("variables of another kind than GRAPHQL have one problem: their kind", () => {
  const problems = problemsOfProbe(probeOf({ variables: ["no object"] as never }));
  expect(problems.map(({ path }) => path)).toEqual(["variables"]);
});

test("too many statuses are one problem, and those behind the limit are not read", () => {
  const statuses = [...Array.from({ length: PROBE_LIMITS.statuses }, () => "200"), "wrong"];
  const problems = problemsOfProbe(probeOf({ expect: expectation({ statuses }) }));
  expect(problems.map(({ path }) => path)).toEqual(["expect.statuses"]);
});
