import { loaderOf } from "../kit/loader.ts";
import type { ShownVariable } from "../../domain/variables/shown-variable.ts";
import type { VariableCategory } from "../../model/workspace/workspace.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { workspaceSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef, WorkspaceRef } from "../kit/refs.ts";

const variablesLoader = loaderOf((domain, caller, ids) => domain.variables(caller, ids));
const variablesOfRunLoader = loaderOf((domain, caller, ids) => domain.variablesOfRuns(caller, ids));

export const VariableCategoryEnum = describedEnum<VariableCategory>(
  "VariableCategory",
  "The way in which a variable is passed to the engine.",
  {
    ENGINE: "An input variable of the configuration.",
    ENVIRONMENT: "An environment variable of the engine and its providers.",
  },
);

const VariableRef = builder.objectRef<ShownVariable>("Variable").implement({
  description:
    "A value that the runs of a workspace get. A run keeps the variables that it was created with; outputs of other workspaces are added when it is admitted.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "The name, unique within the category." }),
    value: t.exposeString("value", { nullable: true, description: "The value. `null` if it is sensitive." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether the value is never shown again." }),
    category: t.expose("category", {
      type: VariableCategoryEnum,
      description: "The way in which it is passed to the engine.",
    }),
    hcl: t.exposeBoolean("hcl", {
      description: "Whether the value is an expression such as a list or a map, not a string.",
    }),
  }),
});

builder.objectField(WorkspaceRef, "variables", (t) =>
  t.field({
    type: [VariableRef],
    description: "The variables that every run gets.",
    resolve: (workspace, _args, { loaders }) => loaders.load(variablesLoader, workspace.id),
  }),
);

builder.objectField(RunRef, "variables", (t) =>
  t.field({
    type: [VariableRef],
    extensions: requiredPermissions("WORKSPACE_READ"),
    description:
      "The variables that the run was created with, by category and key, and once it is admitted the outputs of other workspaces (`upstreamInputs`). A value that was sensitive then or is now is null. A run of kind APPLY has the variables of its PLAN run.",
    resolve: (run, _args, { loaders }) => loaders.load(variablesOfRunLoader, run.id),
  }),
);

mutation("setVariable", {
  description: "Sets a variable of a workspace.",
  argument: "The variable.",
  input: {
    description: "The variable to set. It replaces one with the same key and category.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace whose runs get the variable." }),
      key: t.string({ required: true, description: "The name of the variable." }),
      value: t.string({ required: true, description: "The value of the variable." }),
      sensitive: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether the value is never shown again, and is masked in plans and logs.",
      }),
      category: t.field({
        type: VariableCategoryEnum,
        required: true,
        defaultValue: "ENGINE",
        description: "The way in which it is passed to the engine.",
      }),
      hcl: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether the value is an expression such as a list or a map, not a string.",
      }),
    }),
  },
  success: workspaceSuccess("The variable is set for all runs that are created from now on."),
  run: ({ setVariable }, caller, { input }) => setVariable(caller, input),
});

mutation("deleteVariable", {
  description: "Deletes a variable of a workspace.",
  argument: "The variable to delete.",
  input: {
    description: "The variable to delete.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace of the variable." }),
      key: t.string({ required: true, description: "The name of the variable." }),
      category: t.field({
        type: VariableCategoryEnum,
        required: true,
        defaultValue: "ENGINE",
        description: "The way in which it is passed to the engine.",
      }),
    }),
  },
  success: workspaceSuccess("Runs that are created from now on do not get the variable. Existing runs keep it."),
  run: ({ deleteVariable }, caller, { input }) => deleteVariable(caller, input),
});
