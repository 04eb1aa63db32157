import { expect, test } from "vitest";
import { problemsOfProbe } from "../../../src/model/probe/probe-input.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import { expectation, probeOf } from "../../support/probe-targets.ts";

const CHECKS = { kind: "CHECKS", use: "VERIFY", target: "" } as const;
const COMMAND = { kind: "COMMAND", use: "VERIFY", target: "true" } as const;
const TCP = { kind: "TCP", target: "a:1" } as const;
const TLS = { kind: "TLS", target: "a:1" } as const;
const POST = { method: "POST" } as const;
const header = (name: string, value: string): Partial<Probe> => ({ headers: [{ name, value }] });
const text = (most: number): string => `must have 1 to ${most} characters that are not all blank, and not U+0000.`;
const PATH = 'must be a path that begins with one "/", of at most 500 characters.';
const NAME = 'must have 1 to 63 characters: small letters, digits, "-" and "_", the first a letter or digit.';
const RESERVED = "belongs to the connection: leave it out.";
const STATUS = "must be a status such as 200, or a class such as 2xx.";
const HOST = "must be the name of a host, such as www.example.com.";

/** All problems of a probe, as people read them. */
const problems = (changed: Partial<Probe>): string[] =>
  problemsOfProbe(probeOf(changed)).map(({ path, message }) => `${path} ${message}`);

test.each<[Partial<Probe>, string]>([
  [{ name: "-a" }, `name ${NAME}`],
  [{ name: "a b" }, `name ${NAME}`],
  [CHECKS, ""],
  [{ ...CHECKS, use: "BOTH" }, "use must be VERIFY for the kind CHECKS: it is asked after an apply alone."],
  [{ ...CHECKS, target: "x" }, "target must be empty: all check blocks of the state must pass."],
  [{ ...COMMAND, from: "SERVER" }, "from must be RUNNERS: commands run on runners."],
  [{ ...COMMAND, target: "x".repeat(8193) }, `target ${text(8192)}`],
  [{ target: "http://a/\0" }, `target ${text(2000)}`],
  [{ target: "http://a/\ud800" }, `target ${text(2000)}`],
  [{ target: "ftp://a/" }, "target must be an address that begins with https:// or http://."],
  [{ target: "x http://a/" }, "target must be an address that begins with https:// or http://."],
  [{ target: "http://a/ b" }, "target must not contain white space or control characters."],
  [{ target: "http://a:b@c/" }, "target must not contain a user or a password: use a header."],
  [{ target: "http://a:0/" }, "target must have a port from 1 to 65535."],
  [{ target: "http://{{var.A}}/" }, "target must not name variables: {{var.NAME}} is for headers alone."],
  [{ target: "http://{{outputs.a" }, "target has a template without its end: close it by }}."],
  [{ ...TCP, target: "a" }, "target must be a host and a port, such as db.example.com:5432 or {{outputs.host}}:443."],
  [{ ...TCP, method: "HEAD" }, "method is for the kinds HTTP alone."],
  [{ ...TCP, paths: ["/"] }, "paths is for the kinds HTTP alone."],
  [{ ...TCP, ...header("a", "") }, "headers is for the kinds HTTP, GRAPHQL alone."],
  [{ ...TLS, body: "x" }, "body is for the kinds HTTP, GRAPHQL, TCP alone."],
  [{ variables: null }, ""],
  [{ variables: {} }, "variables is for the kinds GRAPHQL alone."],
  [{ serverName: "a" }, "serverName is for the kinds TLS alone."],
  [{ ...TLS, followRedirects: true }, "followRedirects is for the kinds HTTP, GRAPHQL alone."],
  [
    { kind: "GRAPHQL", body: "{a}", expect: expectation({ statuses: ["200"] }) },
    "expect.statuses is for the kinds HTTP alone.",
  ],
  [
    { ...TLS, expect: expectation({ bodyContains: "a" }) },
    "expect.bodyContains is for the kinds HTTP, GRAPHQL, TCP alone.",
  ],
  [{ ...TCP, expect: expectation({ expression: "a" }) }, "expect.expression is for the kinds HTTP, GRAPHQL alone."],
  [
    { ...CHECKS, expect: expectation({ maxLatencyMs: 1 }) },
    "expect.maxLatencyMs is for the kinds HTTP, GRAPHQL, TCP, TLS alone.",
  ],
  [{ expect: expectation({ certificateDays: 1 }) }, "expect.certificateDays is for the kinds TLS alone."],
  [header("a b", ""), "headers.0.name must be the name of a header, such as X-Api-Key."],
  [header("", ""), "headers.0.name must be the name of a header, such as X-Api-Key."],
  [header("a".repeat(101), ""), "headers.0.name must be the name of a header, such as X-Api-Key."],
  [header("a".repeat(100), ""), ""],
  [header("!#$%&'*+-.^_`|~09azAZ", "\t ~\u0080\u00ff"), ""],
  [header("a", "\u0100"), "headers.0.value must have printable characters of Latin-1."],
  [header("a", "\u007f"), "headers.0.value must have printable characters of Latin-1."],
  [header("a", "\nb"), "headers.0.value must have printable characters of Latin-1."],
  [header("a", "{{outputs.b[*]}}"), "headers.0.value must not have [*]: it is for the target alone."],
  [header("a", "{{outputs.b"), "headers.0.value has a template without its end: close it by }}."],
  [header("a", "x".repeat(4096)), "headers must have at most 4096 bytes in all."],
  [{ headers: Array.from({ length: 21 }, () => ({ name: "a", value: "" })) }, "headers must have at most 20 entries."],
  [{ kind: "GRAPHQL", body: " " }, "body must be the document of GRAPHQL."],
  [{ kind: "GRAPHQL", body: null }, "body must be the document of GRAPHQL."],
  [{ kind: "GRAPHQL", body: "{a}", variables: [1] }, "variables must be an object of at most 16384 bytes."],
  [{ method: "HEAD", body: "a" }, "body is for the method POST alone."],
  [{ ...POST, body: "ä".repeat(8193) }, "body must have at most 16384 bytes, and not U+0000."],
  [{ ...POST, body: "ä".repeat(8192) }, ""],
  [{ ...POST, body: "a\0" }, "body must have at most 16384 bytes, and not U+0000."],
  [{ ...POST, body: "{{outputs.a[*]}}" }, "body must not have [*]: it is for the target alone."],
  [{ ...POST, body: "{{var.A}}" }, "body must not name variables: {{var.NAME}} is for headers alone."],
  [{ paths: Array.from({ length: 11 }, () => "/") }, "paths must have at most 10 entries."],
  [{ paths: ["/a", "b"] }, `paths.1 ${PATH}`],
  [{ paths: ["/a b"] }, `paths.0 ${PATH}`],
  [{ paths: ["/a\\b"] }, `paths.0 ${PATH}`],
  [{ paths: ["/a\u0001"] }, `paths.0 ${PATH}`],
  [
    { expect: expectation({ statuses: Array.from({ length: 21 }, () => "200") }) },
    "expect.statuses must have at most 20 entries.",
  ],
  [{ expect: expectation({ statuses: ["200", "6xx"] }) }, `expect.statuses.1 ${STATUS}`],
  [{ expect: expectation({ bodyContains: " " }) }, `expect.bodyContains ${text(500)}`],
  [{ expect: expectation({ bodyContains: "x".repeat(501) }) }, `expect.bodyContains ${text(500)}`],
  [{ expect: expectation({ bodyContains: "x".repeat(500) }) }, ""],
  [{ expect: expectation({ bodyContains: "a\0" }) }, `expect.bodyContains ${text(500)}`],
  [{ expect: expectation({ expression: "x".repeat(2001) }) }, `expect.expression ${text(2000)}`],
  [{ expect: expectation({ maxLatencyMs: 10_001 }) }, "expect.maxLatencyMs must be a whole number from 1 to 10000."],
  [{ expect: expectation({ maxLatencyMs: 1.5 }) }, "expect.maxLatencyMs must be a whole number from 1 to 10000."],
  [
    { ...TLS, expect: expectation({ certificateDays: 366 }) },
    "expect.certificateDays must be a whole number from 0 to 365.",
  ],
  [{ ...TLS, expect: expectation({ certificateDays: 0 }) }, ""],
  [{ ...TLS, expect: expectation({ certificateDays: 365 }) }, ""],
  [{ ...TLS, serverName: "a b" }, `serverName ${HOST}`],
  [{ ...TLS, serverName: "" }, `serverName ${HOST}`],
  [{ ...TLS, serverName: "a".repeat(254) }, `serverName ${HOST}`],
  [{ ...TLS, serverName: "a".repeat(253) }, ""],
  [{ timeoutMs: 99 }, "timeoutMs must be a whole number from 100 to 10000."],
  [{ intervalSeconds: 3601 }, "intervalSeconds must be a whole number from 10 to 3600."],
])("of %o people read: %s", (changed, problem) => {
  expect(problems(changed).join("\n")).toBe(problem);
});

test.each([
  "Connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "Upgrade",
  "Proxy-Anything",
])("the header %s belongs to the connection", (name) => {
  expect(problems(header(name, ""))).toEqual([`headers.0.name ${RESERVED}`]);
});

test("a header is not reserved for what its name contains", () => {
  expect(problems(header("x-proxy-te", ""))).toEqual([]);
});

test("all problems of a probe are named at once", () => {
  const wrong: Partial<Probe> = { name: "", target: "", paths: ["x"], timeoutMs: 0, ...header("a b", "\n") };
  expect(problemsOfProbe(probeOf(wrong)).map(({ path }) => path)).toEqual([
    "name",
    "target",
    "headers.0.name",
    "headers.0.value",
    "paths.0",
    "timeoutMs",
  ]);
});
