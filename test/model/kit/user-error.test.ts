import { expect, test } from "vitest";
import { invalidField, invalidInput, notFound, UserError } from "../../../src/model/kit/user-error.ts";

test("what may not be read does not exist", () => {
  expect(notFound("run")).toMatchObject({
    name: "UserError",
    code: "NOT_FOUND",
    message: "The run does not exist, or you may not read it.",
    details: {},
  });
});

test("invalid input names every field and what is wrong with it", () => {
  const issues = [
    { path: ["targets", "0"], message: "must be an address." },
    { path: ["priority"], message: "must be from -100 to 100." },
  ];
  expect(invalidInput(issues)).toMatchObject({
    code: "INVALID_INPUT",
    message: "targets.0: must be an address. priority: must be from -100 to 100.",
    details: { issues },
  });
  const [issue] = issues;
  expect(invalidField("targets.0", "must be an address.")).toEqual(invalidInput(issue === undefined ? [] : [issue]));
});

test("an error keeps what it is about", () => {
  const error = new UserError("WORKSPACE_LOCKED", "It is locked.", { workspaceId: "ws_1" });
  expect(error).toBeInstanceOf(Error);
  expect(error.details).toEqual({ workspaceId: "ws_1" });
});
