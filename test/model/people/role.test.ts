import { expect, test } from "vitest";
import { forbiddenReason } from "../../../src/model/people/role.ts";

test("a refusal names the action and the lowest role that allows it", () => {
  expect(forbiddenReason("creating runs", "run:create")).toBe(
    "Your token's role does not allow creating runs. It needs the role WRITER or higher.",
  );
  expect(forbiddenReason("deleting workspaces", "workspace:delete")).toBe(
    "Your token's role does not allow deleting workspaces. It needs the role ADMIN.",
  );
});
