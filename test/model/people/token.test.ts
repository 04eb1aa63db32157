import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN_ID } from "../../../src/model/people/actor.ts";
import { INVITATION_PREFIX } from "../../../src/model/people/invitation.ts";
import { isSessionSecret, SESSION_PREFIX } from "../../../src/model/people/session.ts";
import { idleEndOf, isLive, type Token } from "../../../src/model/people/token.ts";

const TOKEN: Token = {
  id: "tok_1",
  name: "ci",
  actor: { id: "mch_1", name: "ci", kind: "MACHINE" },
  role: null,
  permissions: null,
  scopeIds: null,
  networks: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  lastUsedAt: null,
  lastUsedFrom: null,
  rotatedAt: null,
  expiresAt: null,
  revokedAt: null,
};
const END = "2026-04-01T00:00:00.000Z";

describe("the end of a token that is not used", () => {
  it("is 90 days after it was made", () => {
    expect(idleEndOf(TOKEN)).toBe(END);
  });

  it("is 90 days after its last use or rotation, the later one", () => {
    const [early, late] = ["2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];
    const end = "2026-05-30T00:00:00.000Z";
    expect(idleEndOf({ ...TOKEN, lastUsedAt: late })).toBe(end);
    expect(idleEndOf({ ...TOKEN, rotatedAt: late })).toBe(end);
    expect(idleEndOf({ ...TOKEN, lastUsedAt: early, rotatedAt: late })).toBe(end);
    expect(idleEndOf({ ...TOKEN, lastUsedAt: late, rotatedAt: early })).toBe(end);
  });

  it("never comes for the token of the first administrator", () => {
    expect(idleEndOf({ ...TOKEN, id: ADMIN_TOKEN_ID })).toBeNull();
    expect(isLive({ ...TOKEN, id: ADMIN_TOKEN_ID }, "2036-01-01T00:00:00.000Z")).toBe(true);
  });
});

describe("a token", () => {
  it.each([
    ["2026-03-31T23:59:59.999Z", true],
    [END, false],
    ["2026-04-01T00:00:00.001Z", false],
  ])("that is not used is live at %s: %s", (at, expected) => expect(isLive(TOKEN, at)).toBe(expected));

  it.each([
    ["2026-01-31T23:59:59.999Z", true],
    ["2026-02-01T00:00:00.000Z", false],
    ["2026-02-01T00:00:00.001Z", false],
  ])("that expires is live at %s: %s", (at, expected) => {
    expect(isLive({ ...TOKEN, expiresAt: "2026-02-01T00:00:00.000Z" }, at)).toBe(expected);
  });

  it("is not live once it is revoked", () => {
    expect(isLive({ ...TOKEN, revokedAt: "2026-01-02T00:00:00.000Z" }, "2026-01-03T00:00:00.000Z")).toBe(false);
  });
});

it("secrets begin with a prefix by which scanners find them", () => {
  expect([SESSION_PREFIX, INVITATION_PREFIX]).toEqual(["hps_", "hpi_"]);
  expect(isSessionSecret("hps_x")).toBe(true);
  expect(isSessionSecret("x_hps_")).toBe(false);
});
