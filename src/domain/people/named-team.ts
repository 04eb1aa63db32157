/** A team that approval rules or policy sets name cannot be deleted: without its members no one could satisfy them. */
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace, workspacePlace } from "../../model/people/place.ts";
import type { Team } from "../../model/people/team.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listRulesNamingTeam, type NamingRule } from "../../persistence/people/team-store.ts";
import { listSetsNamingTeam, type NamingSet } from "../../persistence/policy/policy-set-store.ts";
import { InputCheck } from "../kit/input.ts";

/** How many rules or sets the error names. */
const NAMED = 5;

/**
 * Throws INVALID_INPUT if an approval rule or a policy set names a team. The error names the rules of the organization and
 * of workspaces that the caller may read, and the sets if it may read those, and counts the others. The team must be locked,
 * so that none comes to name it meanwhile.
 */
export async function requireNotNamed(tx: Transaction, caller: ActorCaller, team: Team): Promise<void> {
  const check = new InputCheck();
  const rules = await listRulesNamingTeam(tx, team);
  if (rules.length > 0) check.refuse("teamId", wordsForRules(rules, caller));
  const sets = await listSetsNamingTeam(tx, team);
  if (sets.length > 0) check.refuse("teamId", wordsForSets(sets, can(caller, "POLICY_READ", placeOf(team))));
  check.done();
}

const placeOf = ({ organizationId }: Team) => organizationPlace({ id: organizationId });

function wordsForRules(rules: readonly NamingRule[], caller: ActorCaller): string {
  const readable = rules.filter(
    ({ workspace }) => workspace === null || can(caller, "WORKSPACE_READ", workspacePlace(workspace)),
  );
  const named = readable.slice(0, NAMED);
  const others = rules.length - named.length;
  const parts = [...named.map(wordsFor), ...(others === 0 ? [] : [othersOf(others, named.length)])];
  return `must be a team that no approval rule names: ${parts.join(", ")}. Change these rules first.`;
}

function wordsFor({ name, workspace }: NamingRule): string {
  return workspace === null ? `"${name}" of the organization` : `"${name}" of the workspace "${workspace.name}"`;
}

function othersOf(count: number, namedCount: number): string {
  if (namedCount > 0) return `and ${count} more`;
  return count === 1 ? "1 of a workspace that you may not read" : `${count} of workspaces that you may not read`;
}

function wordsForSets(sets: readonly NamingSet[], mayRead: boolean): string {
  const named = mayRead ? sets.slice(0, NAMED) : [];
  const others = sets.length - named.length;
  const count = named.length > 0 ? `and ${others} more` : `${others} that you may not read`;
  const parts = [...named.map(wordsForSet), ...(others === 0 ? [] : [count])];
  return `must be a team that no policy set names: ${parts.join(", ")}. Change these sets first.`;
}

function wordsForSet({ name, overrides, versions }: NamingSet): string {
  const numbers = versions.length === 1 ? `its version ${versions.join()}` : `its versions ${versions.join(" and ")}`;
  const parts = [...(overrides ? ["overriders"] : []), ...(versions.length > 0 ? [`approvers in ${numbers}`] : [])];
  return `"${name}" (${parts.join(", ")})`;
}
