import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { type Claims, profileOf, type ProfileSettings } from "../../../src/model/people/profile.ts";

const ANY: ProfileSettings = { groupsClaim: "groups", domains: [] };
const WHO = { iss: "https://login.example.com", sub: "42" };
const read = (claims: Claims, settings = ANY) => profileOf({ ...WHO, ...claims }, settings);

describe("the profile of a person", () => {
  it("has the issuer and the subject, and the best name that there is", () => {
    expect(read({ name: " Ann ", preferred_username: "ann", email: "a@x.com" })).toEqual({
      issuer: WHO.iss,
      subject: "42",
      name: "Ann",
      email: "a@x.com",
      groups: [],
      groupsIgnored: 0,
    });
    expect(read({ preferred_username: "ann", email: "a@x.com" }).name).toBe("ann");
    expect(read({ name: "", email: "a@x.com" }).name).toBe("a@x.com");
    expect(read({ name: 7 }).name).toBe("42");
    expect(read({ name: "x".repeat(200) }).name).toHaveLength(LIMITS.nameLength);
  });

  it.each([["a "], [" a"], ["A"], ["a\u0301"]])("keeps the subject %j as it is", (sub) => {
    expect(read({ sub }).subject).toBe(sub);
  });

  it("has its name in one line", () => {
    expect(read({ name: "Ann\r\n\u0000admin\ud800" }).name).toBe("Ann admin\ufffd");
  });

  it.each([[undefined], [""], [7], ["a\0b"], ["\ud800"], ["x".repeat(513)]])(
    "is refused with the subject %j",
    (sub) => {
      expect(() => read({ sub })).toThrow("did not name you");
    },
  );

  it("is refused without an issuer, with an error of its own", () => {
    const name = "ProfileRefused";
    expect(() => profileOf({ sub: "42" }, ANY)).toThrow(expect.objectContaining({ name }));
    expect(() => profileOf({ ...WHO, iss: "" }, ANY)).toThrow("did not name you");
  });

  it("keeps an identifier and an address of 512 characters, and no longer address", () => {
    const longest = "x".repeat(512);
    expect(read({ sub: longest }).subject).toBe(longest);
    expect(read({ email: longest }).email).toBe(longest);
    expect(read({ email: `${longest}x` }).email).toBeNull();
  });

  it("takes a group whose name is as long as may be", () => {
    const longest = "y".repeat(LIMITS.groupNameLength);
    expect(read({ groups: [longest, `${longest}y`] }).groups).toEqual([longest]);
  });

  it("has no groups where the provider names no other place for them", () => {
    expect(read({ _claim_names: null }).groups).toEqual([]);
  });

  it.each<[unknown, readonly string[]]>([
    [undefined, []],
    [7, []],
    [{ 0: "a" }, []],
    ["one", ["one"]],
    [[], []],
    [
      ["a", "b", "a"],
      ["a", "b"],
    ],
    [["a", 7, "", null, "x\0", "y".repeat(256)], ["a"]],
  ])("takes the groups %j as %j", (groups, expected) => {
    expect(read({ groups }).groups).toEqual(expected);
  });

  it("takes the first thousand groups", () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => `g${index}`);
    expect(read({ groups })).toMatchObject({ groups: groups.slice(0, 1000), groupsIgnored: 9000 });
  });

  it("reads another claim", () => {
    expect(read({ roles: ["a"], groups: ["b"] }, { ...ANY, groupsClaim: "roles" }).groups).toEqual(["a"]);
  });

  it.each([[{ _claim_names: { groups: "src1" }, _claim_sources: {} }], [{ hasgroups: true }]])(
    "is refused where the groups were left out: %j",
    (claims) => {
      expect(() => read(claims)).toThrow("left out your groups because they are too many");
      // A list that is there counts.
      expect(read({ ...claims, groups: ["a"] }).groups).toEqual(["a"]);
    },
  );

  it.each<[Claims, boolean]>([
    [{ email: "ann@example.com", email_verified: true }, true],
    [{ email: "ann@EXAMPLE.com", email_verified: true }, true],
    [{ email: "ann@example.com" }, false],
    [{ email: "ann@example.com", email_verified: false }, false],
    [{ email: "ann@example.com", email_verified: "true" }, false],
    [{ email: "ann@example.com.evil.com", email_verified: true }, false],
    [{ email: "ann@evil.com@example.org", email_verified: true }, false],
    [{ email: "example.com@evil.com", email_verified: true }, false],
    [{}, false],
  ])("with %j may sign in where example.com may: %s", (claims, allowed) => {
    const attempt = () => read(claims, { ...ANY, domains: ["example.com"] });
    if (allowed) expect(attempt().subject).toBe("42");
    else expect(attempt).toThrow("not of a domain that may sign in here");
  });
});
