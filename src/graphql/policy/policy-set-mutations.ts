import type { PolicySetChange } from "../../domain/policy/policy-set-command.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { deletedSuccess } from "../kit/success.ts";
import { PolicyDialectEnum, PolicyErrorModeEnum, PolicyLanguageEnum, PolicyVersionStateEnum } from "./policy-enums.ts";
import { PolicyOverridersInputRef } from "./overriders.ts";
import { PolicySetRef, SET_WORDS } from "./policy-set.ts";
import { PolicyVersionRef } from "./policy-version.ts";
import { toSelector, WorkspaceSelectorInputRef } from "./selector.ts";

/** The people who may override where none are named. */
const ANY_APPROVER = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true, holds: "PLAN" } as const;

/** Builds the success type of a command on a set, with the set after the command. */
function setSuccess(description: string): Success<PolicySetChange> {
  return {
    description,
    fields: (t) => ({
      policySet: t.field({
        type: PolicySetRef,
        description: "The policy set.",
        resolve: ({ value }) => value.policySet,
      }),
      warnings: t.stringList({
        description: "Probable mistakes, such as a selector that selects nothing.",
        resolve: ({ value }) => value.warnings,
      }),
    }),
  };
}

mutation("createPolicySet", {
  description: "Creates a policy set. It judges nothing until one of its versions is active.",
  argument: "The policy set.",
  input: {
    description: "The policy set to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the set." }),
      name: t.string({ required: true, description: SET_WORDS.name }),
      description: t.string({ description: SET_WORDS.description }),
      language: t.field({ type: PolicyLanguageEnum, required: true, description: SET_WORDS.language }),
      dialect: t.field({
        type: PolicyDialectEnum,
        required: true,
        defaultValue: "HOLDPOINT",
        description: SET_WORDS.dialect,
      }),
      selector: t.field({ type: WorkspaceSelectorInputRef, required: true, description: SET_WORDS.selector }),
      onError: t.field({
        type: PolicyErrorModeEnum,
        required: true,
        defaultValue: "FAIL_CLOSED",
        description: SET_WORDS.onError,
      }),
      judgesUnchanged: t.boolean({ required: true, defaultValue: false, description: SET_WORDS.judgesUnchanged }),
      needsWholePlan: t.boolean({ required: true, defaultValue: false, description: SET_WORDS.needsWholePlan }),
      overriders: t.field({
        type: PolicyOverridersInputRef,
        description: `${SET_WORDS.overriders} By default one of those who may approve the plan, and not who requested the run.`,
      }),
      enabled: t.boolean({ required: true, defaultValue: true, description: SET_WORDS.enabled }),
    }),
  },
  success: setSuccess("The policy set was created."),
  run: ({ createPolicySet }, caller, { input }) =>
    createPolicySet(caller, {
      ...input,
      description: input.description ?? null,
      selector: toSelector(input.selector),
      overriders: input.overriders ?? ANY_APPROVER,
    }),
});

mutation("updatePolicySet", {
  description:
    "Changes a policy set. Plans are judged by the settings of the moment in which they are judged. Its language and its dialect stay.",
  argument: "The policy set and its changes.",
  input: {
    description: "The changes to a policy set. An absent field is not changed; null clears the description alone.",
    fields: (t) => ({
      policySetId: t.id({ required: true, description: "The policy set to change." }),
      name: t.string({ description: SET_WORDS.name }),
      description: t.string({ description: SET_WORDS.description }),
      selector: t.field({
        type: WorkspaceSelectorInputRef,
        description: `${SET_WORDS.selector} It replaces the whole selector.`,
      }),
      onError: t.field({ type: PolicyErrorModeEnum, description: SET_WORDS.onError }),
      judgesUnchanged: t.boolean({ description: SET_WORDS.judgesUnchanged }),
      needsWholePlan: t.boolean({ description: SET_WORDS.needsWholePlan }),
      overriders: t.field({
        type: PolicyOverridersInputRef,
        description: `${SET_WORDS.overriders} They replace those that there are.`,
      }),
      enabled: t.boolean({ description: SET_WORDS.enabled }),
    }),
  },
  success: setSuccess("The policy set was changed."),
  run: ({ updatePolicySet }, caller, { input: { selector, ...input } }) =>
    updatePolicySet(caller, {
      ...input,
      selector: selector ? toSelector(selector) : selector,
    }),
});

mutation("deletePolicySet", {
  description: "Deletes a policy set. A judgement in progress keeps its version; what it found stays.",
  argument: "The policy set to delete.",
  input: {
    description: "The policy set to delete.",
    fields: (t) => ({ policySetId: t.id({ required: true, description: "The policy set." }) }),
  },
  success: deletedSuccess("The policy set is deleted.", "The id of the policy set."),
  run: ({ deletePolicySet }, caller, { input }) => deletePolicySet(caller, input),
});

mutation("setPolicySetVersionState", {
  description:
    "Lets a version of a policy set judge plans, or not. A set has one ACTIVE and one SHADOW version at most: the former one is RETIRED. A version whose tests fail is not activated. A retired version can be activated again.",
  argument: "The version and its state.",
  input: {
    description: "The version and its state.",
    fields: (t) => ({
      versionId: t.id({ required: true, description: "The version." }),
      state: t.field({
        type: PolicyVersionStateEnum,
        required: true,
        description: "The state: SHADOW, ACTIVE or RETIRED.",
      }),
    }),
  },
  success: {
    description: "The version has the state.",
    fields: (t) => ({
      version: t.field({
        type: PolicyVersionRef,
        description: "The version as it is now.",
        resolve: ({ value }) => value,
      }),
    }),
  },
  run: ({ setPolicySetVersionState }, caller, { input }) => setPolicySetVersionState(caller, input),
});
