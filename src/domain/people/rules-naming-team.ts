/** A team that approval rules name cannot be deleted: without its members no one could satisfy them. */
import { invalidField } from "../../model/kit/user-error.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { Team } from "../../model/people/team.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listRulesNamingTeam, type NamingRule } from "../../persistence/people/team-store.ts";

/** How many rules the error names. */
const NAMED = 5;

/**
 * Throws INVALID_INPUT if an approval rule names a team. The error names the rules of the organization and of workspaces
 * that the caller may read, and counts the others. The team must be locked, so that no rule comes to name it meanwhile.
 */
export async function requireNotNamedByRules(tx: Transaction, caller: ActorCaller, team: Team): Promise<void> {
  const rules = await listRulesNamingTeam(tx, team);
  if (rules.length === 0) return;
  const readable = rules.filter(
    ({ workspace }) => workspace === null || can(caller, "WORKSPACE_READ", workspacePlace(workspace)),
  );
  const named = readable.slice(0, NAMED);
  const others = rules.length - named.length;
  const parts = [...named.map(wordsFor), ...(others === 0 ? [] : [othersOf(others, named.length)])];
  throw invalidField(
    "teamId",
    `must be a team that no approval rule names: ${parts.join(", ")}. Change these rules first.`,
  );
}

function wordsFor({ name, workspace }: NamingRule): string {
  return workspace === null ? `"${name}" of the organization` : `"${name}" of the workspace "${workspace.name}"`;
}

function othersOf(count: number, namedCount: number): string {
  if (namedCount > 0) return `and ${count} more`;
  return count === 1 ? "1 of a workspace that you may not read" : `${count} of workspaces that you may not read`;
}
