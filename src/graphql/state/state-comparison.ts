/** What differs between two versions of a state. */
import type { StateComparison } from "../../domain/state/state-domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type {
  StateChangeAction,
  StateOutputChange,
  StateResourceChange,
  StateValueChange,
} from "../../model/state/state-comparison.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { StateVersionRef, WorkspaceRef } from "../kit/refs.ts";
import { StateResourceRef, tooLarge } from "./state-version.ts";

const StateChangeActionEnum = describedEnum<StateChangeAction>(
  "StateChangeAction",
  "What became of a part of a state.",
  {
    ADDED: "Only the later version has it.",
    CHANGED: "Both have it, and it differs.",
    REMOVED: "Only the earlier version has it.",
  },
);

const VALUE_WORDS = {
  before: "Its value in the earlier version; null also where it is not shown.",
  after: "Its value in the later version; null also where it is not shown.",
  sensitive:
    "Whether it holds something secret, by the word of the engine or because a sensitive variable has that value, and is not shown.",
  omitted: `Whether it is not shown for another reason: it has more than ${LIMITS.stateValueLength} characters, or the caller may not read states.`,
} as const;

const StateAttributeChangeRef = builder.objectRef<StateValueChange>("StateAttributeChange").implement({
  description:
    "An attribute that differs. What is about the resource itself is in brackets: `(tainted)`, `(provider)`.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
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
      description: "The resource, as the later version has it where that has it.",
      resolve: (change) => change,
    }),
    action: t.expose("action", { type: StateChangeActionEnum, description: "What became of it." }),
    attributes: t.field({
      type: [StateAttributeChangeRef],
      description: `With CHANGED: the attributes that differ, by name; at most ${LIMITS.stateValuesShown}.`,
      resolve: ({ attributes }) => attributes,
    }),
  }),
});

const StateOutputChangeRef = builder.objectRef<StateOutputChange>("StateOutputChange").implement({
  description: "An output that differs.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    action: t.expose("action", { type: StateChangeActionEnum, description: "What became of it." }),
    before: t.expose("before", { type: "JSON", nullable: true, description: VALUE_WORDS.before }),
    after: t.expose("after", { type: "JSON", nullable: true, description: VALUE_WORDS.after }),
    sensitive: t.exposeBoolean("sensitive", { description: VALUE_WORDS.sensitive }),
    omitted: t.exposeBoolean("omitted", { description: VALUE_WORDS.omitted }),
  }),
});

const StateComparisonRef = builder.objectRef<StateComparison>("StateComparison").implement({
  // Values are shown to those who may take the file.
  extensions: asksFor("workspace:read", "stateVersion:read"),
  description: "What differs between two versions of the state of a workspace.",
  fields: (t) => ({
    from: t.field({
      type: StateVersionRef,
      description: "The earlier version, or the one that was named so.",
      resolve: ({ from }) => from,
    }),
    to: t.field({ type: StateVersionRef, description: "The later one.", resolve: ({ to }) => to }),
    addedCount: t.exposeInt("addedCount", { description: "How many resources were added." }),
    changedCount: t.exposeInt("changedCount", { description: "How many resources differ." }),
    removedCount: t.exposeInt("removedCount", { description: "How many resources were removed." }),
    resources: t.field({
      type: [StateResourceChangeRef],
      description: `Those that were removed, then those that differ, then those that were added, each by address; at most ${LIMITS.stateResourcesShown}.`,
      resolve: ({ resources }) => resources,
    }),
    outputs: t.field({
      type: [StateOutputChangeRef],
      description: `Outputs that differ, by name; at most ${LIMITS.stateValuesShown}.`,
      resolve: ({ outputs }) => outputs,
    }),
  }),
});

builder.objectField(WorkspaceRef, "stateComparison", (t) =>
  t.field({
    type: StateComparisonRef,
    nullable: true,
    description: `What differs between two versions of its state; null where one of them is none of its own. One request may ask for ${LIMITS.statesExaminedPerRequest}.`,
    args: {
      from: t.arg.id({ required: true, description: "The version to begin from." }),
      to: t.arg.id({ required: true, description: "The version to compare it with." }),
    },
    resolve: async ({ id }, { from, to }, { loaders }) => {
      const found = await loaders.stateComparison.load({ workspaceId: id, from, to });
      if (found === "TOO_LARGE") throw tooLarge("to");
      return found;
    },
  }),
);
