import { LIMITS } from "../../model/kit/limits.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import type { PolicySelector } from "../../model/policy/policy-set.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { workspaceLoader } from "../kit/refs.ts";
import { RunKindEnum } from "../run/run-enums.ts";

const WORDS = {
  labels:
    "Labels of workspaces: `key` or `key:value`. Those of one key are alternatives; a workspace has one of each key. Empty: all.",
  names: "Names of workspaces, in which `*` matches any characters and `?` one. Empty: all.",
  kinds: "The kinds of runs. `null`: all that have a plan.",
} as const;

async function readable({ loaders }: Pick<GraphqlContext, "loaders">, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => loaders.load(workspaceLoader, id)));
  return found.flatMap((workspace) => workspace?.id ?? []);
}

export const WorkspaceSelectorRef = builder.objectRef<PolicySelector>("WorkspaceSelector").implement({
  description: "Selects workspaces and kinds of runs: those that each of its lists selects.",
  fields: (t) => ({
    labels: t.stringList({ description: WORDS.labels, resolve: ({ labels }) => [...labels] }),
    names: t.stringList({ description: WORDS.names, resolve: ({ names }) => [...names] }),
    kinds: t.field({
      type: [RunKindEnum],
      nullable: true,
      description: WORDS.kinds,
      resolve: ({ kinds }) => (kinds === null ? null : [...kinds]),
    }),
    workspaceIds: t.idList({
      description: "The ids of workspaces, as far as the caller may read them. Without any in the set: all.",
      resolve: ({ workspaceIds }, _args, context) => readable(context, workspaceIds),
    }),
    excludedWorkspaceIds: t.idList({
      description: "The ids of workspaces that are left out, as far as the caller may read them.",
      resolve: ({ excludedWorkspaceIds }, _args, context) => readable(context, excludedWorkspaceIds),
    }),
  }),
});

export const WorkspaceSelectorInputRef = builder.inputType("WorkspaceSelectorInput", {
  description: "Selects workspaces and kinds of runs: those that each list which is not empty selects.",
  fields: (t) => ({
    labels: t.stringList({
      required: true,
      defaultValue: [],
      description: `${WORDS.labels} At most ${LIMITS.labelsPerWorkspace}.`,
    }),
    names: t.stringList({
      required: true,
      defaultValue: [],
      description: `${WORDS.names} At most ${LIMITS.selectorNames}.`,
    }),
    kinds: t.field({ type: [RunKindEnum], description: WORDS.kinds }),
    workspaceIds: t.idList({
      required: true,
      defaultValue: [],
      description: `The ids of workspaces. Empty: all. At most ${LIMITS.selectorIds}.`,
    }),
    excludedWorkspaceIds: t.idList({
      required: true,
      defaultValue: [],
      description: `The ids of workspaces that are left out. At most ${LIMITS.selectorIds}.`,
    }),
  }),
});

/** Returns a selector as the domain has it. */
export function toSelector(
  input: Omit<PolicySelector, "kinds"> & { kinds?: readonly RunKind[] | null | undefined },
): PolicySelector {
  return { ...input, kinds: input.kinds ?? null };
}
