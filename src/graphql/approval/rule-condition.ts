import type { RuleCondition } from "../../model/approval/rule-condition.ts";
import { builder } from "../kit/builder.ts";
import { RunTriggerEnum } from "../run/run-enums.ts";

const WORDS = {
  minDestructions: "The plan destroys at least as many resources. Replaced resources are counted apart.",
  minReplacements: "The plan replaces at least as many resources.",
  resourceTypes:
    "The plan changes, imports or forgets a resource of one of these types. An entry may be a glob, such as `aws_iam_*`.",
  labels: "The workspace has one of these labels, `key` or `key:value`.",
  triggers: "The run has one of these causes.",
  monthlyCostDeltaOver:
    "The plan raises the monthly cost by more than this, in the currency of its estimate. Without an estimate the rule applies.",
} as const;

const DESCRIPTION =
  "The runs that an approval rule is a stage of. All fields that are set must match. It is decided when the plan is stored, and stays as it is for that version of the plan. A part that cannot be decided counts as a match.";

export const RuleConditionRef = builder.objectRef<RuleCondition>("RuleCondition").implement({
  description: DESCRIPTION,
  fields: (t) => ({
    minDestructions: t.exposeInt("minDestructions", { nullable: true, description: WORDS.minDestructions }),
    minReplacements: t.exposeInt("minReplacements", { nullable: true, description: WORDS.minReplacements }),
    resourceTypes: t.exposeStringList("resourceTypes", { description: WORDS.resourceTypes }),
    labels: t.exposeStringList("labels", { description: WORDS.labels }),
    triggers: t.expose("triggers", { type: [RunTriggerEnum], description: WORDS.triggers }),
    monthlyCostDeltaOver: t.exposeFloat("monthlyCostDeltaOver", {
      nullable: true,
      description: WORDS.monthlyCostDeltaOver,
    }),
  }),
});

export const RuleConditionInputRef = builder.inputType("RuleConditionInput", {
  description: DESCRIPTION,
  fields: (t) => ({
    minDestructions: t.int({ description: WORDS.minDestructions }),
    minReplacements: t.int({ description: WORDS.minReplacements }),
    resourceTypes: t.stringList({ description: WORDS.resourceTypes }),
    labels: t.stringList({ description: WORDS.labels }),
    triggers: t.field({ type: [RunTriggerEnum], description: WORDS.triggers }),
    monthlyCostDeltaOver: t.float({ description: WORDS.monthlyCostDeltaOver }),
  }),
});
