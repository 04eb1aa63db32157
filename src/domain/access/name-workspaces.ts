import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { WorkspaceName } from "../../model/workspace/workspace.ts";

/** How many workspaces an error names. */
const NAMED = 5;
/** How many workspaces to read for an error: some of them may be hidden from the caller. */
export const WORKSPACES_FOR_NAMES = 100;

/** Names workspaces in an error: the first few that the caller may read, and that there are others. */
export function nameWorkspaces(caller: ActorCaller, workspaces: readonly WorkspaceName[]): string {
  const readable = workspaces.filter((workspace) => can(caller, "WORKSPACE_READ", workspacePlace(workspace)));
  const named = readable.slice(0, NAMED).map(({ name }) => name);
  if (named.length === 0) return "workspaces that you may not read";
  return `${named.join(", ")}${named.length < workspaces.length ? " and others" : ""}`;
}
