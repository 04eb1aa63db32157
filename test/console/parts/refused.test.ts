import { expect, it } from "vitest";
import { refusalOf } from "../../../src/console/parts/refused.ts";

it("finds no refusal in a success, whatever it is called", () => {
  expect(refusalOf({ createToken: { __typename: "CreateTokenSuccess", secret: "hpt_1" } })).toBeNull();
});

it("gives the message, the fields and where to sign in again", () => {
  const issues = [{ path: ["name"], message: "must not be empty." }];
  const refused = {
    __typename: "InvalidInputError",
    code: "INVALID_INPUT",
    message: "name: must not be empty.",
    issues,
  };
  expect(refusalOf({ createTeam: refused })).toEqual({ message: "name: must not be empty.", issues, url: null });
  const url = "https://holdpoint.example.com/login?fresh=1";
  expect(refusalOf({ createGrant: { code: "REAUTHENTICATION_REQUIRED", message: "Sign in again.", url } })).toEqual({
    message: "Sign in again.",
    issues: [],
    url,
  });
});

it("shows a refusal of a later release by its code", () => {
  expect(refusalOf({ rotateToken: { code: "MOON_IS_FULL", issues: "none" } })).toEqual({
    message: "MOON_IS_FULL",
    issues: [],
    url: null,
  });
});
