import { expect, test } from "vitest";
import { RUN_KINDS } from "../../../src/model/lifecycle/run-kind.ts";
import { permissionToApprove, permissionToRun, RUN_PERMISSIONS } from "../../../src/model/run/run-permission.ts";

test("a run requires the permission of its kind", () => {
  expect(RUN_KINDS.map((kind) => [kind, permissionToRun(kind)])).toEqual([
    ["DEPLOY", "RUN_DEPLOY"],
    ["DESTROY", "RUN_DESTROY"],
    ["PLAN", "RUN_PLAN"],
    ["APPLY", "RUN_DEPLOY"],
    ["UNLOCK", "RUN_DEPLOY"],
    ["TASK", "RUN_TASK"],
  ]);
  expect(RUN_PERMISSIONS).toEqual(["RUN_PLAN", "RUN_DEPLOY", "RUN_DESTROY", "RUN_TASK"]);
});

test("an approval requires the permission of its gate", () => {
  expect([permissionToApprove("PLAN"), permissionToApprove("APPLY")]).toEqual(["PLAN_APPROVE", "APPLY_APPROVE"]);
});
