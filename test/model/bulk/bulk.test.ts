import { expect, test } from "vitest";
import { GATES } from "../../../src/model/approval/approval.ts";
import { BULK_COMMANDS } from "../../../src/model/bulk/bulk.ts";
import { permissionToApprove, RUN_PERMISSIONS } from "../../../src/model/run/run-permission.ts";

test("an action on many runs takes one of the permissions that the action on one run takes", () => {
  expect(BULK_COMMANDS.CANCEL.permissions).toEqual(["RUN_CANCEL"]);
  expect(BULK_COMMANDS.DISCARD.permissions).toEqual(["RUN_DISCARD"]);
  expect(BULK_COMMANDS.APPROVE.permissions).toEqual(GATES.map(permissionToApprove));
  expect(BULK_COMMANDS.RETRY.permissions).toEqual(RUN_PERMISSIONS);
});

test.each(Object.entries(BULK_COMMANDS))("the refusal of %s names the action", (action, { words }) => {
  const verb = action.toLowerCase().replace(/el$/, "ell").replace(/e$/, "");
  expect(words).toBe(`${verb}ing runs`);
});
