import type { PolicySetRowFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** Writes which workspaces and runs a policy set judges. */
export function selectorOf({ selector }: Pick<PolicySetRowFragment, "selector">): string {
  const { names, labels, kinds, workspaceIds, excludedWorkspaceIds } = selector;
  const parts = [
    names.length > 0 && `names ${names.map(visible).join(", ")}`,
    labels.length > 0 && `labels ${labels.map(visible).join(", ")}`,
    workspaceIds.length > 0 && `${workspaceIds.length} by id`,
    excludedWorkspaceIds.length > 0 && `without ${excludedWorkspaceIds.length}`,
    kinds !== null && `runs of the kind ${kinds.map(wordsOf).join(" or ")}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "all workspaces" : parts.join("; ");
}
