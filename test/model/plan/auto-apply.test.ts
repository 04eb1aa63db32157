import { expect, test } from "vitest";
import { AUTO_APPLY_MODES, type AutoApplyPlan, autoApplyAllows } from "../../../src/model/plan/auto-apply.ts";

const CREATES: AutoApplyPlan = {
  changes: 0,
  destructions: 0,
  replacements: 0,
  forgets: 0,
  imports: 0,
  moves: 0,
  outputChanges: [],
  actionInvocationCount: 0,
  complete: true,
  targeted: false,
};

/** What is allowed by NEVER, CREATE_ONLY, NO_DESTROY and ALWAYS. */
test.each<[string, Partial<AutoApplyPlan>, [boolean, boolean, boolean, boolean]]>([
  ["creates alone", {}, [false, true, true, true]],
  ["an update", { changes: 1 }, [false, false, true, true]],
  ["a delete", { destructions: 1 }, [false, false, false, true]],
  ["a replacement, which is a destruction", { replacements: 1 }, [false, false, false, true]],
  ["a forget", { forgets: 1 }, [false, false, false, true]],
  ["an import", { imports: 1 }, [false, false, true, true]],
  ["a move", { moves: 1 }, [false, false, true, true]],
  ["an update and a move", { changes: 1, moves: 1 }, [false, false, true, true]],
  ["an update and an import", { changes: 1, imports: 1 }, [false, false, true, true]],
  ["what changed outside, with nothing counted", { refreshOnly: true }, [false, false, true, true]],
  ["an action, whose effect the plan does not show", { actionInvocationCount: 1 }, [false, false, false, true]],
  [
    "an action of a plan that is incomplete",
    { actionInvocationCount: 1, complete: false },
    [false, false, false, false],
  ],
  ["a new output", { outputChanges: [{ action: "CREATE" }] }, [false, true, true, true]],
  ["a changed output", { outputChanges: [{ action: "UPDATE" }] }, [false, false, true, true]],
  ["a plan with targets, which is incomplete", { complete: false, targeted: true }, [false, true, true, true]],
  ["a plan that is incomplete for another reason", { complete: false }, [false, false, false, false]],
])("%s", (_name, plan, allowed) => {
  expect(AUTO_APPLY_MODES.map((mode) => autoApplyAllows(mode, { ...CREATES, ...plan }))).toEqual(allowed);
});
