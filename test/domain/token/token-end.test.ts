import { describe, expect, it } from "vitest";
import { InputCheck } from "../../../src/domain/kit/input.ts";
import { checkTokenEnd, endOfOwn, tokenEnd } from "../../../src/domain/token/token-end.ts";
import { UserError } from "../../../src/model/kit/user-error.ts";
import { fakeCaller } from "../../support/fake-domain.ts";

const AT = new Date("2026-01-01T00:00:00.000Z");
const IN_90_DAYS = "2026-04-01T00:00:00.000Z";
const IN_A_YEAR = "2027-01-02T00:00:00.000Z";
const LATER = "2026-02-01T00:00:00.000Z";

describe("the end of a token", () => {
  it("is in 90 days if none is asked for, and may be a year away", () => {
    expect(tokenEnd(null, AT)).toEqual({
      at: "2026-01-01T00:00:00.000Z",
      expiresAt: IN_90_DAYS,
      latest: IN_A_YEAR,
      own: null,
    });
    expect(tokenEnd(LATER, AT).expiresAt).toBe(LATER);
  });

  it("is that of the token that makes it, if that is earlier and none is asked for", () => {
    expect(tokenEnd(null, AT, LATER).expiresAt).toBe(LATER);
    expect(tokenEnd(null, AT, IN_A_YEAR).expiresAt).toBe(IN_90_DAYS);
    expect(tokenEnd(null, AT, IN_90_DAYS).expiresAt).toBe(IN_90_DAYS);
    expect(tokenEnd(IN_90_DAYS, AT, LATER)).toMatchObject({ expiresAt: IN_90_DAYS, own: LATER });
  });
});

describe("the end of the caller's own token", () => {
  const caller = { ...fakeCaller, expiresAt: LATER };
  const own = caller.actor.id;

  it("bounds a token that it makes for its own actor", () => {
    expect(endOfOwn(caller, own)).toBe(LATER);
  });

  it("bounds no token of another, none that a session makes, and none if it has no end", () => {
    expect(endOfOwn(caller, "mch_1")).toBeNull();
    expect(endOfOwn({ ...caller, credential: "SESSION" }, own)).toBeNull();
    expect(endOfOwn(fakeCaller, own)).toBeNull();
  });
});

describe("an end that is asked for", () => {
  const issues = (asked: string, own: string | null = null): string | null => {
    const check = new InputCheck();
    checkTokenEnd(check, tokenEnd(asked, AT, own));
    try {
      check.done();
      return null;
    } catch (error) {
      return error instanceof UserError ? error.message : "another error";
    }
  };

  it.each([
    ["2025-12-31T23:59:59.999Z", null, "expiresAt: must be in the future."],
    ["2026-01-01T00:00:00.000Z", null, "expiresAt: must be in the future."],
    ["2026-01-01T00:00:00.001Z", null, null],
    [IN_A_YEAR, null, null],
    ["2027-01-02T00:00:00.001Z", null, "expiresAt: must be within 366 days."],
    [LATER, LATER, null],
    [LATER, IN_90_DAYS, null],
    [IN_90_DAYS, LATER, `expiresAt: must not be after ${LATER}, when your own token ends.`],
  ])("of %s, with an own end of %s: %s", (asked, own, message) => {
    expect(issues(asked, own)).toBe(message);
  });
});
