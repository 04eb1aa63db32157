/** Which changes of refs start runs, by the settings of workspaces. */
import { branchOf, tagOf } from "../../model/repository/look.ts";
import type { WorkspaceTrigger } from "../../model/workspace/workspace-trigger.ts";
import { namePattern } from "../kit/patterns.ts";

type FollowingTrigger = Pick<WorkspaceTrigger, "branch" | "tags">;

/** Returns whether changes of a ref start runs of any of the workspaces. Each pattern is compiled once. */
export function anyFollows(triggers: readonly FollowingTrigger[]): (ref: string) => boolean {
  const branches = new Set(triggers.map(({ branch }) => branch));
  const patterns = [...new Set(triggers.flatMap(({ tags }) => (tags === null ? [] : [tags])))].map(namePattern);
  return (ref) => {
    const tag = tagOf(ref);
    return tag === null ? branches.has(branchOf(ref)) : patterns.some((matches) => matches(tag));
  };
}
