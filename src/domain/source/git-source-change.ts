/** Changes of the branch and the folder of the git source that a workspace has: what is absent stays. */
import { parseBranch, parseSubFolder } from "../../model/workspace/git-source.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { GitSource, Workspace } from "../../model/workspace/workspace.ts";
import type { InputCheck } from "../kit/input.ts";
import { mayReadRepositories, parsed } from "./resolve-source.ts";

export interface GitSourceChange {
  branch?: string | null | undefined;
  path?: string | null | undefined;
}

const PARSERS = { branch: parseBranch, path: parseSubFolder };

/** Checks the fields of a change, of which none may be `null`. */
export function checkGitSourceChange(check: InputCheck, change: GitSourceChange | null | undefined): void {
  check.require(change !== null, "gitSource", "cannot be cleared.");
  for (const field of ["branch", "path"] as const) {
    const text = change?.[field];
    check.require(text !== null, `gitSource.${field}`, "cannot be cleared.");
    if (typeof text === "string") parsed(check, `gitSource.${field}`, () => PARSERS[field](text));
  }
}

/**
 * Returns the source of a workspace with a change that was checked. Throws INVALID_INPUT if it is not one in git, or is of
 * a repository that the caller may not read.
 */
export function withGitSourceChange(
  { source, organizationId }: Pick<Workspace, "source" | "organizationId">,
  { branch, path }: GitSourceChange,
  caller: ActorCaller,
): GitSource {
  if (source.type !== "git") {
    throw invalidField("gitSource", "needs a source in git, which the workspace does not have: set `source`.");
  }
  if (source.repositoryId !== undefined && !mayReadRepositories(caller, organizationId)) {
    throw invalidField(
      "gitSource",
      "cannot be changed: the source is a repository of a git host that you may not read.",
    );
  }
  return {
    ...source,
    ...(typeof branch === "string" && { branch: parseBranch(branch) }),
    ...(typeof path === "string" && { path: parseSubFolder(path) }),
  };
}
