import { expect, test } from "vitest";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import { NO_EXPECTATION, type Probe } from "../../../src/model/probe/probe.ts";
import { type ProbeValues, resolveProbe } from "../../../src/model/probe/resolve-probe.ts";
import { probeOf } from "../../support/probe-targets.ts";

const CANARY = "canary-5f1c";
const values: ProbeValues = {
  outputs: new Map([
    ["url", { value: "https://shop.example.com", sensitive: false }],
    ["deep", { value: "https://shop.example.com/ready?full=1", sensitive: false }],
    ["nodes", { value: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }], sensitive: false }],
    ["mixed", { value: [{ ip: "10.0.0.1" }, { name: "b" }], sensitive: false }],
    ["port", { value: 5432, sensitive: false }],
    ["empty", { value: [], sensitive: false }],
    ["many", { value: Array.from({ length: 10_000 }, (_, n) => `http://h${n}/`), sensitive: false }],
    ["token", { value: CANARY, sensitive: true }],
    ["broken", { value: "a\r\nx: y", sensitive: false }],
    ["user", { value: "https://a:b@shop.example.com", sensitive: false }],
  ]),
  variables: new Map([["API_KEY", CANARY]]),
};

function addresses(target: string): string[] {
  return resolveProbe(probeOf({ target }), values).targets.map(({ address }) => address);
}

function urls(target: string, paths: string[] = []): readonly string[] {
  const [first] = resolveProbe(probeOf({ target, paths }), values).targets;
  return first?.request.kind === "HTTP" ? first.request.urls : [];
}

test("outputs are filled in; a list gives a target for each element", () => {
  expect(addresses("{{outputs.url}}/ready")).toEqual(["https://shop.example.com/ready"]);
  expect(addresses("http://{{outputs.nodes[1].ip}}/")).toEqual(["http://10.0.0.2/"]);
  expect(addresses("http://{{outputs.nodes[*].ip}}/")).toEqual(["http://10.0.0.1/", "http://10.0.0.2/"]);
});

test("without a path the usual ones are tried, and those of the probe if it has some", () => {
  expect(urls("{{outputs.url}}")).toEqual(
    ["/", "/health", "/healthz", "/api/health"].map((path) => `https://shop.example.com${path}`),
  );
  expect(urls("{{outputs.deep}}")).toEqual(["https://shop.example.com/ready?full=1"]);
  expect(urls("{{outputs.deep}}", ["/up"])).toEqual(["https://shop.example.com/up"]);
});

test("hosts and ports; numbers are texts", () => {
  const probe = probeOf({ kind: "TCP", target: "{{outputs.nodes[0].ip}}:{{outputs.port}}" });
  const [target] = resolveProbe(probe, values).targets;
  expect(target?.request).toMatchObject({ kind: "TCP", host: "10.0.0.1", port: 5432 });
});

test("other forms of an address are brought to one, so that the guard sees it", () => {
  const hostOf = (target: string): unknown =>
    resolveProbe(probeOf({ kind: "TCP", target }), values).targets[0]?.request;
  expect(hostOf("0x7f.1:80")).toMatchObject({ host: "127.0.0.1" });
  expect(hostOf("[::FFFF:169.254.169.254]:80")).toMatchObject({ host: "::ffff:a9fe:a9fe" });
  expect(hostOf("2852039166:80")).toMatchObject({ host: "169.254.169.254" });
});

test("secrets reach headers and bodies, and no address", () => {
  const headers = [
    { name: "x-key", value: "{{var.API_KEY}}" },
    { name: "authorization", value: "Bearer {{outputs.token}}" },
  ];
  const probe = probeOf({ method: "POST", headers, body: '{"t":"{{outputs.token}}"}' });
  const [target] = resolveProbe(probe, values).targets;
  expect(target?.request).toMatchObject({
    headers: [
      { name: "x-key", value: CANARY },
      { name: "authorization", value: `Bearer ${CANARY}` },
    ],
    body: `{"t":"${CANARY}"}`,
  });
  expect(target?.address).not.toContain(CANARY);
});

test.each([
  ["{{outputs.nope}}", 'There is no output "nope".'],
  ["http://{{outputs.token}}/", 'The output "token" is sensitive: use it in headers or the body.'],
  ["http://{{var.API_KEY}}/", "{{var.API_KEY}} may be used in headers alone."],
  ["http://{{outputs.nodes[7].ip}}/", "{{outputs.nodes[7].ip}} has no value: the output has another shape."],
  ["http://{{outputs.mixed[*].ip}}/", "{{outputs.mixed[*].ip}} has no value: the output has another shape."],
  ["{{outputs.url[*]}}", "{{outputs.url[*]}} has no value: the output has another shape."],
  ["http://{{outputs.nodes[0]}}/", "{{outputs.nodes[0]}} is not a text."],
  ["{{outputs.many[*]}}", "The list has 10000 elements; a probe has at most 20 targets."],
  ["{{outputs.empty[*]}}", "The list of the target is empty."],
  ["{{outputs.port}}", "The target must be an address that begins with https:// or http://."],
  ["http://a/{{outputs.broken}}", "The target must not contain white space or control characters."],
  ["{{outputs.user}}", "The target must not contain a user or a password: use a header."],
])("%s is unresolved", (target, unresolved) => {
  expect(resolveProbe(probeOf({ target }), values)).toEqual({ targets: [], unresolved });
});

test("a header that cannot be sent is unresolved, and its value is not shown", () => {
  const probe = probeOf({ target: "http://a/", headers: [{ name: "x", value: "{{outputs.broken}}" }] });
  expect(resolveProbe(probe, values).unresolved).toBe("The header x has a character that cannot be sent.");
});

test("what is too large once it is filled in is unresolved", () => {
  const large: ProbeValues = {
    outputs: new Map([["text", { value: "x".repeat(4096), sensitive: false }]]),
    variables: new Map(),
  };
  const unresolved = (changed: Partial<Probe>) =>
    resolveProbe(probeOf({ target: "http://a/", ...changed }), large).unresolved;
  const value = (text: string) => ({ headers: [{ name: "", value: text }] });
  expect(unresolved(value("{{outputs.text}}"))).toBeNull();
  expect(unresolved(value("{{outputs.text}}x"))).toBe("The headers have more than 4096 bytes.");
  const most = PROBE_LIMITS.filledBodyBytes;
  const body = "{{outputs.text}}".repeat(most / 4096);
  expect(unresolved({ method: "POST", body })).toBeNull();
  expect(unresolved({ method: "POST", body: `${body}x` })).toBe(`The body is longer than ${most} bytes.`);
});

test("a template that is wrong, or a variable that is none, is unresolved at its place", () => {
  const unresolved = (changed: Partial<Probe>) =>
    resolveProbe(probeOf({ target: "http://a/", ...changed }), values).unresolved;
  expect(unresolved({ method: "POST", body: "{{outputs.a" })).toMatch(/^The body .*without its end/);
  expect(unresolved({ headers: [{ name: "x", value: "{{var.NONE}}" }] })).toBe('There is no variable "NONE".');
  expect(unresolved({ method: "POST", body: "{{var.API_KEY}}" })).toBe("{{var.API_KEY}} may be used in headers alone.");
});

test("each kind has a request of its own form", () => {
  const request = (changed: Partial<Probe>) => resolveProbe(probeOf(changed), values).targets[0]?.request;
  const shared = { expect: NO_EXPECTATION, timeoutMs: 5000 };
  expect(request({ kind: "GRAPHQL", target: "http://a/", body: "{ a }", variables: { n: 1 } })).toEqual({
    kind: "GRAPHQL",
    url: "http://a/",
    body: '{"query":"{ a }","variables":{"n":1}}',
    headers: [],
    followRedirects: false,
    ...shared,
  });
  expect(request({ kind: "GRAPHQL", target: "http://a/", body: "{ a }" })).toMatchObject({
    body: '{"query":"{ a }","variables":{}}',
  });
  expect(request({ kind: "TCP", target: "a:1", body: "PING" })).toEqual({
    kind: "TCP",
    host: "a",
    port: 1,
    body: "PING",
    ...shared,
  });
  expect(request({ kind: "TLS", target: "a:1", serverName: "b" })).toEqual({
    kind: "TLS",
    host: "a",
    port: 1,
    serverName: "b",
    ...shared,
  });
  expect(() => request({ kind: "COMMAND", target: "true" })).toThrow("A probe of kind COMMAND has no request");
});

test("truth values are texts as well", () => {
  const on: ProbeValues = { outputs: new Map([["on", { value: true, sensitive: false }]]), variables: new Map() };
  expect(resolveProbe(probeOf({ target: "http://a/{{outputs.on}}" }), on).targets[0]?.address).toBe("http://a/true");
});

test("names of Object's prototype are no keys", () => {
  expect(resolveProbe(probeOf({ target: "{{outputs.nodes.constructor}}" }), values).unresolved).toMatch(/no value/);
});

test("a path or a query of the target is enough, and the usual paths are not tried", () => {
  expect(urls("{{outputs.url}}/ready")).toEqual(["https://shop.example.com/ready"]);
  expect(urls("{{outputs.url}}/?full=1")).toEqual(["https://shop.example.com/?full=1"]);
});

test("an output that is no host and port is named as such", () => {
  const { targets, unresolved } = resolveProbe(probeOf({ kind: "TCP", target: "{{outputs.url}}" }), values);
  expect(targets).toEqual([]);
  expect(unresolved).toBe("The target must be a host and a port, such as db.example.com:5432.");
});

test("all headers together have at most so many bytes, names and values", () => {
  const withHeaders = (length: number) => {
    const headers = [
      { name: "x-a", value: "1234567" },
      { name: "x-b", value: "b".repeat(length - 13) },
    ];
    return resolveProbe(probeOf({ headers }), values).unresolved;
  };
  expect(withHeaders(PROBE_LIMITS.headerBytes)).toBeNull();
  expect(withHeaders(PROBE_LIMITS.headerBytes + 1)).toBe(
    `The headers have more than ${PROBE_LIMITS.headerBytes} bytes.`,
  );
});

test("a list has at most as many elements as a probe has targets", () => {
  const listOf = (length: number) => {
    const value = Array.from({ length }, (_, n) => `http://h${n}/`);
    const outputs = new Map([["list", { value, sensitive: false }]]);
    return resolveProbe(probeOf({ target: "{{outputs.list[*]}}" }), { ...values, outputs });
  };
  expect(listOf(PROBE_LIMITS.targetsPerProbe).targets).toHaveLength(PROBE_LIMITS.targetsPerProbe);
  expect(listOf(PROBE_LIMITS.targetsPerProbe + 1).unresolved).toMatch(/has 21 elements/);
});
