import { LIMITS } from "../../model/kit/limits.ts";
import type { DriftIgnoreRule, DriftMode, DriftSettings, ReconcileMode } from "../../model/workspace/drift-settings.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";

const ModeEnum = describedEnum<DriftMode>("DriftMode", "How a workspace is checked for drift.", {
  PLAN: "By a plan of what was applied: drift is what it would change, and what else the configuration depends on.",
  REFRESH_ONLY: "By a refresh: drift is all that something else changed, also where a run would leave it so.",
});

const ReconcileEnum = describedEnum<ReconcileMode>("DriftReconciliation", "The reaction to drift.", {
  OFF: "Nothing but the message.",
  PROPOSE: "A run that undoes the drift. A person has to approve its apply.",
  AUTO_SAFE:
    "A run that undoes the drift. Its apply needs no person if it destroys, replaces and forgets nothing; the plan gate of the workspace stays.",
});

const WORDS = {
  mode: "How checks look for drift.",
  reconcile: "The reaction to drift.",
  ignore: `Changes that are no drift; at most ${LIMITS.driftIgnoreRules} rules.`,
  addressGlob: "The addresses of resources; `*` matches any characters.",
  attribute:
    "The path of the attribute, such as `desired_capacity` or `tags.Name`, with all below it. `*`: every change.",
} as const;

const IgnoreRuleRef = builder.objectRef<DriftIgnoreRule>("DriftIgnoreRule").implement({
  description: "Changes that are no drift.",
  fields: (t) => ({
    addressGlob: t.exposeString("addressGlob", { description: WORDS.addressGlob }),
    attribute: t.exposeString("attribute", { description: WORDS.attribute }),
  }),
});

const SettingsRef = builder.objectRef<DriftSettings>("DriftSettings").implement({
  description: "How a workspace is checked for drift. A schedule with the action DETECT_DRIFT checks it.",
  fields: (t) => ({
    mode: t.expose("mode", { type: ModeEnum, description: WORDS.mode }),
    reconcile: t.expose("reconcile", { type: ReconcileEnum, description: WORDS.reconcile }),
    ignore: t.field({
      type: [IgnoreRuleRef],
      description: WORDS.ignore,
      resolve: ({ ignore }) => [...ignore],
    }),
  }),
});

builder.objectField(WorkspaceRef, "driftSettings", (t) =>
  t.expose("driftSettings", { type: SettingsRef, description: "How it is checked for drift." }),
);

const IgnoreRuleInputRef = builder.inputType("DriftIgnoreRuleInput", {
  description: "Changes that are no drift. A resource is left out if all its changes are covered by rules.",
  fields: (t) => ({
    addressGlob: t.string({ required: true, defaultValue: "*", description: WORDS.addressGlob }),
    attribute: t.string({ required: true, description: WORDS.attribute }),
  }),
});

export const DriftSettingsInputRef = builder.inputType("DriftSettingsInput", {
  description: "How a workspace is checked for drift. An absent field is not changed; null is invalid.",
  fields: (t) => ({
    mode: t.field({ type: ModeEnum, description: `${WORDS.mode} The default is PLAN.` }),
    reconcile: t.field({ type: ReconcileEnum, description: `${WORDS.reconcile} The default is OFF.` }),
    ignore: t.field({ type: [IgnoreRuleInputRef], description: WORDS.ignore }),
  }),
});

export const DRIFT_INPUT_WORDS =
  "How it is checked for drift. Changing `reconcile` needs the permission to create runs of kind DEPLOY.";
