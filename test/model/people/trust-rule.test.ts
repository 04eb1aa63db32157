import { describe, expect, it } from "vitest";
import {
  coversToken,
  fitsPattern,
  strangersTrusted,
  type TrustRule,
  trustRulePlace,
} from "../../../src/model/people/trust-rule.ts";

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
    ["a*x*b", "a-b", false],
    ["a*bb*bb*c", "abbc", false],
    ["a*bb*bb*c", "abbbbc", true],
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

it("a rule is changed at the place of its machine user", () => {
  expect(trustRulePlace({ organizationId: null })).toEqual({
    organizationId: null,
    projectId: null,
    workspaceId: null,
  });
  expect(trustRulePlace({ organizationId: "org_1" })).toEqual({
    organizationId: "org_1",
    projectId: null,
    workspaceId: null,
  });
});

it("a rule about an issuer of its own company may trust all of it", () => {
  expect(strangersTrusted({ issuer: "https://gitlab.example.com", subject: "*", claims: {} })).toBeNull();
});

/** Issuers that give tokens to anyone: how a subject names an account, subjects that do not, and claims that do. */
const PUBLIC = [
  {
    issuer: "https://token.actions.githubusercontent.com",
    name: "GitHub",
    example: "repo:acme/infrastructure:*",
    strangers: ["repo:*", "repo:acme*", "repo:a*/infrastructure:main", "repo:/x", "x:repo:acme/infrastructure"],
    claims: ["repository_owner_id", "repository_owner", "repository_id", "repository"],
  },
  {
    issuer: "https://gitlab.com",
    name: "GitLab.com",
    example: "project_path:acme/infrastructure:*",
    strangers: ["project_path:*", "project_path:acme*", "project_path:a*/b:c", "x:project_path:acme/infrastructure"],
    claims: ["namespace_id", "namespace_path", "project_id", "project_path"],
  },
  ...["https://app.terraform.io", "https://app.eu.terraform.io"].map((issuer) => ({
    issuer,
    name: "HCP Terraform",
    example: "organization:acme:*",
    strangers: ["organization:*", "organization:acme*", "organization::project", "x:organization:acme:*"],
    claims: ["terraform_organization_id", "terraform_organization_name", "terraform_workspace_id"],
  })),
  {
    issuer: "https://agent.buildkite.com",
    name: "Buildkite",
    example: "organization:acme:pipeline:infrastructure:*",
    strangers: ["organization:*", "organization:acme*", "organization::pipeline", "x:organization:acme:*"],
    claims: ["organization_slug", "organization_id", "pipeline_id"],
  },
  {
    issuer: "https://accounts.google.com",
    name: "Google",
    example: "104817365920471936582",
    strangers: ["*", "1*", "*1", "x1", "1x"],
    claims: ["email"],
  },
];

describe.each(PUBLIC)("a rule about $issuer", ({ issuer, name, example, strangers, claims }) => {
  const refusal = `must name an account of ${name} before the first *, such as ${example}: anyone can get a token there.`;

  it.each([...strangers, "*", ""])("is refused with the subject %j, with an example", (subject) => {
    for (const written of [issuer, `${issuer}/`, `${issuer}//`]) {
      expect(strangersTrusted({ issuer: written, subject, claims: {} })).toBe(refusal);
    }
  });

  it("is accepted with its example", () => {
    expect(strangersTrusted({ issuer, subject: example, claims: {} })).toBeNull();
  });

  it.each(claims)("is accepted with the claim %s, if that has no *", (claim) => {
    expect(strangersTrusted({ issuer, subject: "*", claims: { [claim]: "acme" } })).toBeNull();
    expect(strangersTrusted({ issuer, subject: "*", claims: { [claim]: "acme*" } })).toBe(refusal);
  });

  it("is refused with another claim", () => {
    expect(strangersTrusted({ issuer, subject: "*", claims: { ref: "main", environment: "production" } })).toBe(
      refusal,
    );
  });
});
