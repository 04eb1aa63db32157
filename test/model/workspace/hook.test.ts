import { expect, test } from "vitest";
import { hooksOfLeg, type Hook, HOOK_STAGES } from "../../../src/model/workspace/hook.ts";

test("a leg performs the hooks of its own stages, in their order; an UNLOCK none", () => {
  const hooks: Hook[] = HOOK_STAGES.toReversed().map((stage) => ({ stage, command: stage }));
  const stages = (...args: [Parameters<typeof hooksOfLeg>[1], Parameters<typeof hooksOfLeg>[2]]) =>
    hooksOfLeg(hooks, ...args).map(({ stage }) => stage);
  expect(stages("DEPLOY", "PLAN")).toEqual(["AFTER_PLAN", "BEFORE_PLAN", "AFTER_INIT", "BEFORE_INIT"]);
  expect(stages("DESTROY", "REPLAN")).toEqual(stages("DEPLOY", "PLAN"));
  expect(stages("APPLY", "APPLY")).toEqual(["AFTER_APPLY", "BEFORE_APPLY", "AFTER_INIT", "BEFORE_INIT"]);
  expect(stages("DESTROY", "DESTROY")).toEqual(["AFTER_DESTROY", "BEFORE_DESTROY", "AFTER_INIT", "BEFORE_INIT"]);
  expect(stages("TASK", "TASK")).toEqual(["AFTER_INIT", "BEFORE_INIT"]);
  expect(stages("UNLOCK", "TASK")).toEqual([]);
});
