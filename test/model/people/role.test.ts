import { expect, test } from "vitest";
import { BUILT_IN_ROLES, builtInRoleId, forbiddenReason } from "../../../src/model/people/role.ts";

test("a refusal names the action, the permission that is missing, and the least role that has it", () => {
  expect(forbiddenReason("creating runs", "RUN_DEPLOY")).toBe(
    "Your rights do not allow creating runs here. It needs the permission RUN_DEPLOY, as in the role WRITER.",
  );
  expect(forbiddenReason("revoking tokens", "TOKEN_WRITE")).toBe(
    "Your rights do not allow revoking tokens here. It needs the permission TOKEN_WRITE, as in the role ADMIN.",
  );
});

test("built-in roles have the ids that the first migration gave them", () => {
  expect(BUILT_IN_ROLES.map(builtInRoleId)).toEqual([
    "role_00000000000000000000000001",
    "role_00000000000000000000000002",
    "role_00000000000000000000000003",
    "role_00000000000000000000000004",
    "role_00000000000000000000000005",
    "role_00000000000000000000000006",
    "role_00000000000000000000000007",
    "role_00000000000000000000000008",
  ]);
});
