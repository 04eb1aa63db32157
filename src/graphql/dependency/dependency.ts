import type { Dependency } from "../../model/dependency/dependency.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { present } from "../kit/errors.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { workspaceSuccess } from "../kit/success.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";

const dependenciesLoader = loaderOf((domain, caller, ids) => domain.dependenciesOf(caller, ids));

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

const WorkspaceDependencyInputRef = builder.inputType("WorkspaceDependencyInput", {
  description: "A workspace that another one depends on.",
  fields: (t) => ({ upstreamId: t.id({ required: true, description: "The workspace." }) }),
});

mutation("setWorkspaceDependencies", {
  description: "Replaces the workspaces that a workspace depends on.",
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
