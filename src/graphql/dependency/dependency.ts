import type { Dependency, DependencyTrigger, OutputReference } from "../../model/dependency/dependency.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { workspaceSuccess } from "../kit/success.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { VariableCategoryEnum } from "../workspace/variable.ts";

const dependenciesLoader = loaderOf((domain, caller, ids) => domain.dependenciesOf(caller, ids));

const DependencyTriggerEnum = describedEnum<DependencyTrigger>(
  "DependencyTrigger",
  "When a workspace upstream that was applied starts a run downstream.",
  {
    ALWAYS: "Whenever it was applied.",
    NEVER:
      "Never. In a changeset the run downstream comes after that of the workspace upstream, whether that ended well or not.",
    OUTPUTS_CHANGED:
      "If an output that is referenced has another value than at the last run downstream that was applied.",
  },
);

const OutputReferenceRef = builder.objectRef<OutputReference>("OutputReference").implement({
  description: "An output of a workspace upstream that is a variable of the runs downstream.",
  fields: (t) => ({
    output: t.exposeString("output", { description: "The name of the output." }),
    key: t.exposeString("key", { description: "The name of the variable." }),
    category: t.expose("category", {
      type: VariableCategoryEnum,
      description: "The way in which the variable is passed to the engine.",
    }),
  }),
});

const DependencyRef = builder.objectRef<Dependency>("WorkspaceDependency").implement({
  description: "One workspace depends on another one. In a changeset its run comes after that of the other one.",
  fields: (t) => ({
    upstream: t.field({
      type: WorkspaceRef,
      description: "The workspace that the other one depends on.",
      resolve: async ({ upstreamId }, _args, { loaders }) =>
        present(await loaders.load(workspaceLoader, upstreamId), `Workspace ${upstreamId}`),
    }),
    downstream: t.field({
      type: WorkspaceRef,
      description: "The workspace that depends on the other one.",
      resolve: async ({ downstreamId }, _args, { loaders }) =>
        present(await loaders.load(workspaceLoader, downstreamId), `Workspace ${downstreamId}`),
    }),
    trigger: t.expose("trigger", {
      type: DependencyTriggerEnum,
      description: "When the workspace upstream starts a run downstream.",
    }),
    outputs: t.expose("outputs", {
      type: [OutputReferenceRef],
      description: "The outputs of the workspace upstream that are variables of the runs downstream.",
    }),
  }),
});

/** Reads the dependencies of one side whose other end the caller may read. */
async function readSide(
  { loaders }: GraphqlContext,
  id: string,
  side: "upstreamId" | "downstreamId",
): Promise<Dependency[]> {
  const other = side === "upstreamId" ? "downstreamId" : "upstreamId";
  const all = (await loaders.load(dependenciesLoader, id)).filter((one) => one[side] === id);
  const seen = await Promise.all(all.map(async (one) => (await loaders.load(workspaceLoader, one[other])) !== null));
  return all.filter((_one, index) => seen[index]);
}

builder.objectFields(WorkspaceRef, (t) => ({
  dependencies: t.field({
    type: [DependencyRef],
    extensions: LEAVES_WORKSPACE,
    description: "The workspaces that it depends on and that the caller may read, by name.",
    resolve: ({ id }, _args, context) => readSide(context, id, "downstreamId"),
  }),
  dependents: t.field({
    type: [DependencyRef],
    extensions: LEAVES_WORKSPACE,
    description: "The workspaces that depend on it and that the caller may read, by name.",
    resolve: ({ id }, _args, context) => readSide(context, id, "upstreamId"),
  }),
}));

const OutputReferenceInputRef = builder.inputType("OutputReferenceInput", {
  description: "An output of a workspace upstream that is a variable of the runs downstream.",
  fields: (t) => ({
    output: t.string({ required: true, description: "The name of the output." }),
    key: t.string({
      required: true,
      description: "The name of the variable. No other output and no variable of the workspace may have it.",
    }),
    category: t.field({
      type: VariableCategoryEnum,
      required: true,
      defaultValue: "ENGINE",
      description: "The way in which the variable is passed to the engine.",
    }),
  }),
});

const WorkspaceDependencyInputRef = builder.inputType("WorkspaceDependencyInput", {
  description: "A workspace that another one depends on.",
  fields: (t) => ({
    upstreamId: t.id({ required: true, description: "The workspace." }),
    trigger: t.field({
      type: DependencyTriggerEnum,
      required: true,
      defaultValue: "OUTPUTS_CHANGED",
      description: "When the workspace upstream starts a run downstream.",
    }),
    outputs: t.field({
      type: [OutputReferenceInputRef],
      required: true,
      defaultValue: [],
      description: `Outputs of it that are variables; at most ${LIMITS.outputReferencesPerWorkspace} of all workspaces together. Outputs that are new take the permission STATE_READ on the workspace upstream.`,
    }),
  }),
});

mutation("setWorkspaceDependencies", {
  description: "Replaces the workspaces that a workspace depends on, as far as the caller may read them; others stay.",
  argument: "The workspace and its dependencies.",
  input: {
    description: "The workspace and its dependencies.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace that depends on the others." }),
      dependencies: t.field({
        type: [WorkspaceDependencyInputRef],
        required: true,
        description: `The workspaces that it depends on, each once; at most ${LIMITS.dependenciesPerWorkspace}.`,
      }),
    }),
  },
  success: workspaceSuccess("The dependencies are changed."),
  run: ({ setWorkspaceDependencies }, caller, { input }) => setWorkspaceDependencies(caller, input),
});
