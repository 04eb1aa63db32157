import type { ShownVariable } from "../../domain/variables/shown-variable.ts";
import type { VariableCategory } from "../../model/workspace/workspace.ts";
import { asksFor } from "../kit/asks-for.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef, WorkspaceRef } from "../kit/refs.ts";
import { ForbiddenErrorRef, InvalidInputErrorRef, NotFoundErrorRef } from "../kit/user-error.ts";
import { workspaceSuccess } from "./workspace-success.ts";

const VariableCategoryEnum = describedEnum<VariableCategory>("VariableCategory", "How a variable reaches the engine.", {
  ENGINE: "As an input variable of the configuration.",
  ENVIRONMENT: "As an environment variable of the engine and its providers.",
});

const VariableRef = builder.objectRef<ShownVariable>("Variable").implement({
  description: "A value that runs of a workspace get. A run keeps those of its creation.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "Its name; unique within the category." }),
    value: t.exposeString("value", { nullable: true, description: "Its value; null where it is sensitive." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether the value is never shown again." }),
    category: t.expose("category", { type: VariableCategoryEnum, description: "How it reaches the engine." }),
    hcl: t.exposeBoolean("hcl", { description: "The value is an expression (list, map), not a string." }),
  }),
});

builder.objectField(WorkspaceRef, "variables", (t) =>
  t.field({
    type: [VariableRef],
    description: "What every run gets.",
    resolve: (workspace, _args, { loaders }) => loaders.variables.load(workspace.id),
  }),
);

builder.objectField(RunRef, "variables", (t) =>
  t.field({
    type: [VariableRef],
    extensions: asksFor("workspace:read"),
    description:
      "The variables that the run was created with, by category and key. Values that were sensitive then, or are now, are null. A run of kind APPLY has those of its PLAN run.",
    resolve: (run, _args, { loaders }) => loaders.variablesOfRun.load(run.id),
  }),
);

const SetVariableInputRef = builder.inputType("SetVariableInput", {
  description: "Sets a variable; one with the same key and category is replaced.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace whose runs get it." }),
    key: t.string({ required: true, description: "Its name." }),
    value: t.string({ required: true, description: "Its value." }),
    sensitive: t.boolean({
      required: true,
      defaultValue: false,
      description: "Never show the value again, and mask it in plans and logs.",
    }),
    category: t.field({
      type: VariableCategoryEnum,
      required: true,
      defaultValue: "ENGINE",
      description: "How it reaches the engine.",
    }),
    hcl: t.boolean({
      required: true,
      defaultValue: false,
      description: "The value is an expression (list, map), not a string.",
    }),
  }),
});

const SetVariableSuccessRef = workspaceSuccess("SetVariableSuccess", "The variable is set for all runs from now on.");

const SetVariableResultRef = builder.unionType("SetVariableResult", {
  description: "What came of `setVariable`.",
  types: [SetVariableSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("setVariable", (t) =>
  t.field({
    type: SetVariableResultRef,
    description: "Sets a variable of a workspace.",
    args: { input: t.arg({ type: SetVariableInputRef, required: true, description: "The variable." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError"], async () => ({
        type: "SetVariableSuccess" as const,
        workspace: await context.domain.setVariable(context.caller, input),
      })),
  }),
);

const DeleteVariableInputRef = builder.inputType("DeleteVariableInput", {
  description: "A variable that later runs are not to get.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace that has it." }),
    key: t.string({ required: true, description: "Its name." }),
    category: t.field({
      type: VariableCategoryEnum,
      required: true,
      defaultValue: "ENGINE",
      description: "How it reaches the engine.",
    }),
  }),
});

const DeleteVariableSuccessRef = workspaceSuccess(
  "DeleteVariableSuccess",
  "Runs from now on do not get the variable; those that exist keep it.",
);

const DeleteVariableResultRef = builder.unionType("DeleteVariableResult", {
  description: "What came of `deleteVariable`.",
  types: [DeleteVariableSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("deleteVariable", (t) =>
  t.field({
    type: DeleteVariableResultRef,
    description: "Removes a variable of a workspace.",
    args: { input: t.arg({ type: DeleteVariableInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "DeleteVariableSuccess" as const,
        workspace: await context.domain.deleteVariable(context.caller, input),
      })),
  }),
);
