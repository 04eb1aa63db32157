import { describe, expect, it } from "vitest";
import { coversToken, fitsPattern, strangersTrusted, type TrustRule } from "../../../src/model/people/trust-rule.ts";

describe("a pattern", () => {
  it.each([
    ["main", "main", true],
    ["main", "mainly", false],
    ["main", "Main", false],
    ["", "", true],
    ["*", "", true],
    ["*", "a/b:c", true],
    ["a*", "a", true],
    ["a*", "ba", false],
    ["*a", "ba", true],
    ["*a", "ab", false],
    ["a*b", "ab", true],
    ["a*a", "a", false],
    ["ab*ba", "aba", false],
    ["ab*ba", "abba", true],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["a*b*b", "ab", false],
    ["a*b*b", "abb", true],
    ["a**b", "a-b", true],
    ["a.b", "axb", false],
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/infra:ref:refs/heads/main", true],
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/infra:ref:refs/heads/main2", false],
  ])("%j fits %j: %j", (pattern, text, expected) => expect(fitsPattern(pattern, text)).toBe(expected));

  it("takes no time that grows with the number of ways to fit", () => {
    expect(fitsPattern(`${"*a".repeat(10)}*b`, "a".repeat(100_000))).toBe(false);
  });
});

const rule: TrustRule = {
  id: "trust_x",
  actorId: "mch_x",
  organizationId: "org_x",
  issuer: "https://ci.example.com",
  audience: "holdpoint",
  subject: "repo:*",
  claims: { ref: "main", level: "3", protected: "true" },
  maxSeconds: 60,
  createdAt: "2026-01-02T03:04:05.678Z",
};
const token = { iss: rule.issuer, aud: "holdpoint", sub: "repo:a", ref: "main", level: 3, protected: true };

it.each<[object, boolean]>([
  [{}, true],
  [{ iss: "https://ci.example.com/" }, false],
  [{ iss: undefined }, false],
  [{ aud: ["a", "holdpoint"] }, true],
  [{ aud: "holdpoint2" }, false],
  [{ aud: [] }, false],
  [{ aud: undefined }, false],
  [{ sub: 7 }, false],
  [{ sub: undefined }, false],
  [{ ref: ["dev", "main"] }, true],
  [{ ref: [] }, false],
  [{ ref: null }, false],
  [{ ref: { main: true } }, false],
  [{ level: "3" }, true],
  [{ level: 30 }, false],
  [{ protected: "false" }, false],
])("a token with %j is covered: %j", (change, expected) => {
  expect(coversToken(rule, { ...token, ...change })).toBe(expected);
});

it("a claim that every object has is none of the token", () => {
  expect(coversToken({ ...rule, claims: { constructor: "*" } }, token)).toBe(false);
  expect(coversToken({ ...rule, claims: { toString: "*" } }, token)).toBe(false);
});

it("a rule about an issuer of its own company may trust all of it", () => {
  expect(strangersTrusted({ issuer: "https://gitlab.example.com", subject: "*", claims: {} })).toBeNull();
  expect(strangersTrusted({ issuer: "https://gitlab.com", subject: "*", claims: {} })).toContain("GitLab.com");
});
