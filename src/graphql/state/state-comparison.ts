/** The comparison of two versions of a state. */
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { loaderOfStates } from "../kit/loader.ts";
import type { StateComparison } from "../../domain/state/state-domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type {
  StateChangeAction,
  StateOutputChange,
  StateResourceChange,
  StateValueChange,
} from "../../model/state/state-comparison.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { StateVersionRef, WorkspaceRef } from "../kit/refs.ts";
import { StateResourceRef, tooLarge } from "./state-version.ts";

const stateComparisonLoader = loaderOfStates(
  (domain, caller, { workspaceId, from, to }: { workspaceId: string; from: string; to: string }) =>
    domain.compareStates(caller, workspaceId, from, to),
  ({ workspaceId, from, to }) => `${workspaceId} ${from} ${to}`,
);

const StateChangeActionEnum = describedEnum<StateChangeAction>(
  "StateChangeAction",
  "The change of a part of a state between two versions.",
  {
    ADDED: "Only the later version has it.",
    CHANGED: "Both versions have it, with different values.",
    REMOVED: "Only the earlier version has it.",
  },
);

const VALUE_WORDS = {
  before: "The value in the earlier version. `null` if there is none, or it is not shown.",
  after: "The value in the later version. `null` if there is none, or it is not shown.",
  sensitive: "Whether the value is hidden because the engine marks it as sensitive, or a sensitive variable has it.",
  omitted: `Whether the value is left out because it has more than ${LIMITS.stateValueLength} characters, or the caller may not read states.`,
} as const;

const StateAttributeChangeRef = builder.objectRef<StateValueChange>("StateAttributeChange").implement({
  description:
    "An attribute that differs. A property of the resource itself has its name in brackets: `(tainted)`, `(provider)`.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name." }),
    before: t.expose("before", { type: "JSON", nullable: true, description: VALUE_WORDS.before }),
    after: t.expose("after", { type: "JSON", nullable: true, description: VALUE_WORDS.after }),
    sensitive: t.exposeBoolean("sensitive", { description: VALUE_WORDS.sensitive }),
    omitted: t.exposeBoolean("omitted", { description: VALUE_WORDS.omitted }),
  }),
});

const StateResourceChangeRef = builder.objectRef<StateResourceChange>("StateResourceChange").implement({
  description: "A resource that differs.",
  fields: (t) => ({
    resource: t.field({
      type: StateResourceRef,
      description: "The resource in the later version or, if it was removed, in the earlier version.",
      resolve: (change) => change,
    }),
    action: t.expose("action", { type: StateChangeActionEnum, description: "The change." }),
    attributes: t.field({
      type: [StateAttributeChangeRef],
      description: `The attributes that differ, by name; at most ${LIMITS.stateValuesShown}. Empty unless \`action\` is CHANGED.`,
      resolve: ({ attributes }) => attributes,
    }),
  }),
});

const StateOutputChangeRef = builder.objectRef<StateOutputChange>("StateOutputChange").implement({
  description: "An output that differs.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name." }),
    action: t.expose("action", { type: StateChangeActionEnum, description: "The change." }),
    before: t.expose("before", { type: "JSON", nullable: true, description: VALUE_WORDS.before }),
    after: t.expose("after", { type: "JSON", nullable: true, description: VALUE_WORDS.after }),
    sensitive: t.exposeBoolean("sensitive", { description: VALUE_WORDS.sensitive }),
    omitted: t.exposeBoolean("omitted", { description: VALUE_WORDS.omitted }),
  }),
});

const StateComparisonRef = builder.objectRef<StateComparison>("StateComparison").implement({
  // Values are shown to callers who may download the file.
  extensions: requiredPermissions("WORKSPACE_READ", "STATE_READ"),
  description: "The differences between two versions of the state of a workspace.",
  fields: (t) => ({
    from: t.field({
      type: StateVersionRef,
      description: "The version given as `from`, usually the earlier one.",
      resolve: ({ from }) => from,
    }),
    to: t.field({ type: StateVersionRef, description: "The version given as `to`.", resolve: ({ to }) => to }),
    addedCount: t.exposeInt("addedCount", { description: "The number of added resources." }),
    changedCount: t.exposeInt("changedCount", { description: "The number of resources that differ." }),
    removedCount: t.exposeInt("removedCount", { description: "The number of removed resources." }),
    resources: t.field({
      type: [StateResourceChangeRef],
      description: `The resources that were removed, then those that differ, then those that were added, each by address; at most ${LIMITS.stateResourcesShown}.`,
      resolve: ({ resources }) => resources,
    }),
    outputs: t.field({
      type: [StateOutputChangeRef],
      description: `The outputs that differ, by name; at most ${LIMITS.stateValuesShown}.`,
      resolve: ({ outputs }) => outputs,
    }),
  }),
});

builder.objectField(WorkspaceRef, "stateComparison", (t) =>
  t.field({
    // A comparison that shows values is recorded as a reading by its actor.
    extensions: ACTOR_DEPENDENT,
    type: StateComparisonRef,
    nullable: true,
    description: `The differences between two versions of its state. \`null\` if one of them belongs to another workspace. A request may compare at most ${LIMITS.statesExaminedPerRequest} versions.`,
    args: {
      from: t.arg.id({ required: true, description: "The version to compare from." }),
      to: t.arg.id({ required: true, description: "The version to compare to." }),
    },
    resolve: async ({ id }, { from, to }, { loaders }) => {
      const found = await loaders.load(stateComparisonLoader, { workspaceId: id, from, to });
      if (found === "TOO_LARGE") throw tooLarge("to");
      return found;
    },
  }),
);
