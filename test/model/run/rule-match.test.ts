/** Conditions of approval rules: what they match, what they do not, and what cannot be decided. */
import { describe, expect, test } from "vitest";
import { asksForPlan, type RuleCondition } from "../../../src/model/approval/rule-condition.ts";
import { type ConditionFacts, type PlanFacts, reasonToApply } from "../../../src/model/run/rule-match.ts";

const NOTHING: RuleCondition = {
  minDestructions: null,
  minReplacements: null,
  resourceTypes: [],
  labels: [],
  triggers: [],
  monthlyCostDeltaOver: null,
};

/** `*` at the end of a glob stands for any rest. */
const globOf = (glob: string) => (text: string) =>
  glob.endsWith("*") ? text.startsWith(glob.slice(0, -1)) : text === glob;

function reason(
  when: Partial<RuleCondition>,
  plan: Partial<PlanFacts> | null = {},
  more: Partial<ConditionFacts> = {},
) {
  const facts = { destructions: 0, replacements: 0, types: [], monthlyCostDelta: 0, ...plan };
  const all = { trigger: "PUSH", labels: [], plan: plan === null ? null : facts, ...more } as const;
  return reasonToApply({ ...NOTHING, ...when }, all, globOf);
}

describe("a condition about the plan", () => {
  test("counts destructions and replacements apart, from the least number on", () => {
    expect(reason({ minDestructions: 2 }, { destructions: 1, replacements: 9 })).toBeNull();
    expect(reason({ minDestructions: 2 }, { destructions: 2 })).toBe("The plan destroys 2 resources.");
    expect(reason({ minDestructions: 1 }, { destructions: 1 })).toBe("The plan destroys 1 resource.");
    expect(reason({ minReplacements: 3 }, { destructions: 9, replacements: 2 })).toBeNull();
    expect(reason({ minReplacements: 3 }, { replacements: 4 })).toBe("The plan replaces 4 resources.");
  });

  test("matches any of the types, also by a glob", () => {
    const resourceTypes = ["aws_iam_*", "aws_kms_key"];
    expect(reason({ resourceTypes }, { types: ["aws_instance", "aws_kms_key_policy"] })).toBeNull();
    expect(reason({ resourceTypes }, { types: [] })).toBeNull();
    expect(reason({ resourceTypes }, { types: ["aws_instance", "aws_kms_key"] })).toContain("type aws_kms_key.");
    expect(reason({ resourceTypes }, { types: ["aws_iam_role"] })).toContain("type aws_iam_role.");
  });

  test("matches a cost that rises by more, not by as much", () => {
    expect(reason({ monthlyCostDeltaOver: 100 }, { monthlyCostDelta: 100 })).toBeNull();
    expect(reason({ monthlyCostDeltaOver: 100 }, { monthlyCostDelta: -500 })).toBeNull();
    expect(reason({ monthlyCostDeltaOver: 0 }, { monthlyCostDelta: 0 })).toBeNull();
    expect(reason({ monthlyCostDeltaOver: 100 }, { monthlyCostDelta: 100.5 })).toBe(
      "The plan raises the monthly cost by 100.5, which is more than 100.",
    );
  });

  test("applies where the cost or the plan is not known", () => {
    expect(reason({ monthlyCostDeltaOver: 100 }, { monthlyCostDelta: null })).toBe(
      "The cost of the plan is not known.",
    );
    const unknown = "The run has no plan, so its changes are not known.";
    expect(reason({ minDestructions: 1 }, null)).toBe(unknown);
    expect(reason({ minReplacements: 1 }, null)).toBe(unknown);
    expect(reason({ resourceTypes: ["a"] }, null)).toBe(unknown);
    expect(reason({ monthlyCostDeltaOver: 1 }, null)).toBe(unknown);
  });
});

describe("a condition about the run", () => {
  test("matches one of the labels, by key or by key and value", () => {
    expect(reason({ labels: ["env:prod", "pci"] }, {}, { labels: ["env:test"] })).toBeNull();
    expect(reason({ labels: ["env:prod", "pci"] }, {}, { labels: ["team:a", "env:prod"] })).toBe(
      "The workspace has the label env:prod.",
    );
    expect(reason({ labels: ["env"] }, {}, { labels: ["env:prod"] })).toBe("The workspace has the label env.");
  });

  test("matches one of the triggers", () => {
    expect(reason({ triggers: ["API", "SCHEDULE"] })).toBeNull();
    expect(reason({ triggers: ["API", "PUSH"] })).toBe("The run has the trigger PUSH.");
  });
});

test("all parts must match; one that cannot be decided does not outweigh one that does not", () => {
  const when = { minDestructions: 1, triggers: ["PUSH" as const], monthlyCostDeltaOver: 5 };
  expect(reason(when, { destructions: 0, monthlyCostDelta: null })).toBeNull();
  expect(reason(when, { destructions: 1, monthlyCostDelta: 5 })).toBeNull();
  expect(reason(when, { destructions: 1, monthlyCostDelta: null }, { trigger: "API" })).toBeNull();
  expect(reason(when, null, { trigger: "API" })).toBeNull();
  expect(reason(when, { destructions: 1, monthlyCostDelta: null })).toBe(
    "The run has the trigger PUSH. The plan destroys 1 resource. The cost of the plan is not known.",
  );
});

test("a condition asks about the plan unless it names labels and triggers alone", () => {
  const asks = (when: Partial<RuleCondition>) => asksForPlan({ ...NOTHING, ...when });
  expect(asks({ labels: ["env"], triggers: ["PUSH"] })).toBe(false);
  expect(asks({ minDestructions: 1 })).toBe(true);
  expect(asks({ minReplacements: 1 })).toBe(true);
  expect(asks({ resourceTypes: ["a"] })).toBe(true);
  expect(asks({ monthlyCostDeltaOver: 0 })).toBe(true);
});
