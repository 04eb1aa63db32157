/** The forms of addresses, at their bounds. */
import { expect, test } from "vitest";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import { hostAndPort, urlProblem } from "../../../src/model/probe/target-address.ts";

const most = PROBE_LIMITS.targetLength;
const longUrl = (length: number): string => "https://a/".padEnd(length, "b");
const longHost = (length: number): string => `${"b".repeat(length - 3)}:80`;

test.each<[string, { host: string; port: number } | null]>([
  ["db.example.com:5432", { host: "db.example.com", port: 5432 }],
  ["db.example.com.:1", { host: "db.example.com", port: 1 }],
  ["DB.example.com:65535", { host: "db.example.com", port: 65_535 }],
  ["[2606:4700::1]:443", { host: "2606:4700::1", port: 443 }],
  ["0x7f.1:80", { host: "127.0.0.1", port: 80 }],
  ["db.example.com:0", null],
  ["db.example.com:65536", null],
  ["db.example.com:80x", null],
  ["db.example.com:80/", null],
  ["db.example.com", null],
  ["a%:80", null],
  ["[::zz]:80", null],
  [longHost(most), { host: "b".repeat(most - 3), port: 80 }],
  [longHost(most + 1), null],
])("the host and the port of %s", (text, expected) => {
  expect(hostAndPort(text)).toEqual(expected);
});

test("a URL has at most so many characters", () => {
  expect(urlProblem(longUrl(most))).toBeNull();
  expect(urlProblem(longUrl(most + 1))).toBe(`must have at most ${most} characters.`);
});
