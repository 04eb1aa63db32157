import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { mostApprovals, type People } from "../../model/approval/satisfiable.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import {
  listActorIdsReaching,
  listApproversReaching,
  listScopesWithGrants,
} from "../../persistence/people/reach-store.ts";
import { scopesReaching } from "../../model/people/grant.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { organizationPlace, type Place } from "../../model/people/place.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { findTeams, holdTeams } from "../../persistence/people/team-store.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { type ApprovalRuleInput, toApprovalRules } from "./approval-rule-input.ts";

/** The context of rules that are to be saved. */
export interface RulesContext {
  caller: ActorCaller;
  /** The rules that are replaced. */
  before: readonly ApprovalRule[];
  /** The rules of the organization, if the checked ones are a workspace's. */
  others: readonly ApprovalRule[];
  /** The plan gate asks for approval even without a rule. */
  planAlways: boolean;
  /** Where the rules count: an organization and all below it, or one workspace. */
  place: Place;
}

/** For an installation in which people have tokens and do not sign in. */
const TOKENS_DO_NOT_COUNT =
  " A token alone does not show which person it is: let people sign in, or let tokens and machines count (machinesCount).";

const NO_TEAM = "must be the id of a team of the organization that you may read.";

/**
 * Locks the teams that approval rules name against being deleted before the rules are saved. Throws INVALID_INPUT if
 * one was deleted since the check of the input.
 */
export async function holdNamedTeams(
  tx: Transaction,
  inputs: readonly ApprovalRuleInput[] | null | undefined,
): Promise<void> {
  const lists = (inputs ?? []).map(({ teamIds }, index) => ({ path: `approvalRules.${index}.teamIds`, teamIds }));
  await holdListedTeams(tx, lists);
}

/** Locks teams against being deleted. `path`: the field of a list of them. Throws INVALID_INPUT if one was deleted. */
export async function holdListedTeams(
  tx: Transaction,
  lists: readonly { path: string; teamIds: readonly string[] }[],
): Promise<void> {
  const ids = [...new Set(lists.flatMap(({ teamIds }) => teamIds))];
  if (ids.length === 0) return;
  const held = new Set(await holdTeams(tx, ids));
  for (const { path, teamIds } of lists) {
    const position = teamIds.findIndex((id) => !held.has(id));
    if (position >= 0) throw invalidField(`${path}.${position}`, NO_TEAM);
  }
}

type CheckDeps = Pick<Deps, "rights" | "clock" | "hasIdentityProvider">;

/**
 * Checks that the named approvers may approve, and that enough people can satisfy each rule. Without `inputs` there is
 * nothing to check.
 */
export async function checkApprovers(
  reader: Reader,
  deps: CheckDeps,
  check: InputCheck,
  inputs: readonly ApprovalRuleInput[] | null | undefined,
  { caller, before, others, planAlways, place }: RulesContext,
): Promise<void> {
  if (!inputs || inputs.length === 0 || inputs.length > LIMITS.approvalRules) return;
  const own = toApprovalRules(inputs);
  const teamIds = await readNameableTeams(reader, own, { caller, before, place });
  const people = await readPeople(reader, deps, place, own);
  for (const [index, rule] of own.entries()) {
    const path = `approvalRules.${index}`;
    const isNamed = checkNames(check, path, rule, { people, teamIds });
    if (!isNamed || rule.kinds.length === 0) continue;
    const context = { rules: [...others, ...own], people, planAlways };
    const most = mostApprovals(rule, context);
    if (rule.minimum <= most) continue;
    const words = most <= 0 ? "no one can approve here" : `at most ${most} can approve here`;
    const byTokens =
      rule.minimum <= mostApprovals({ ...rule, machinesCount: true }, context) ? TOKENS_DO_NOT_COUNT : "";
    check.refuse(`${path}.minimum`, `must not be more than the people who can approve: ${words}.${byTokens}`);
  }
}

/** Checks that the named actors may approve at the gate of a rule, and that the caller may name its teams. */
export async function checkNamedApprovers(
  reader: Reader,
  deps: CheckDeps,
  check: InputCheck,
  { path, rule, ...context }: Pick<RulesContext, "caller" | "before" | "place"> & { path: string; rule: ApprovalRule },
): Promise<void> {
  if (rule.approverIds.length + rule.teamIds.length === 0) return;
  const teamIds = await readNameableTeams(reader, [rule], context);
  const people = await readPeople(reader, deps, context.place, [rule]);
  checkNames(check, path, rule, { people, teamIds });
}

/** Checks the named actors and teams of a rule; returns whether they can all be named. */
function checkNames(
  check: InputCheck,
  path: string,
  rule: ApprovalRule,
  { people, teamIds }: { people: People; teamIds: ReadonlySet<string> },
): boolean {
  const known = new Set(people.approvers.flatMap(({ gates, actorId }) => (gates.includes(rule.gate) ? actorId : [])));
  const named = rule.approverIds.slice(0, LIMITS.approversPerRule);
  for (const [position, id] of named.entries()) {
    // Ids that are no actor's are reported already.
    if (known.has(id) || !isActor(id)) continue;
    const words = "must be an actor that may approve at this gate, and can sign in or has a live token.";
    check.refuse(`${path}.approverIds.${position}`, words);
  }
  const teams = rule.teamIds.slice(0, LIMITS.approversPerRule);
  for (const [position, id] of teams.entries()) {
    check.require(teamIds.has(id), `${path}.teamIds.${position}`, NO_TEAM);
  }
  return named.every((id) => known.has(id)) && teams.every((id) => teamIds.has(id));
}

/**
 * Returns the ids of the teams that the rules may name: those of the organization that the caller may read, and those that
 * the replaced rules name, which the caller sees there.
 */
async function readNameableTeams(
  reader: Reader,
  rules: readonly ApprovalRule[],
  { caller, before, place }: Pick<RulesContext, "caller" | "before" | "place">,
): Promise<Set<string>> {
  const ids = [...new Set(rules.flatMap((rule) => rule.teamIds.slice(0, LIMITS.approversPerRule)))];
  const asked = ids.filter((id) => idKind(id) === "team");
  const teams = asked.length === 0 ? [] : await findTeams(reader, asked);
  const seen = new Set(before.flatMap((rule) => rule.teamIds));
  const mayRead = can(caller, "MEMBER_READ", organizationPlace({ id: place.organizationId ?? "" }));
  const found = teams.filter(
    (team) => team !== null && team.organizationId === place.organizationId && (mayRead || seen.has(team.id)),
  );
  return new Set(found.flatMap((team) => team?.id ?? []));
}

/** For a whole organization: the actors that have the permissions anywhere in it. */
async function readPeople(
  reader: Reader,
  { rights, clock, hasIdentityProvider: hasProvider }: CheckDeps,
  place: Place,
  rules: readonly ApprovalRule[],
): Promise<People> {
  const at = clock().toISOString();
  const isOrganization = place.workspaceId === null && place.projectId === null;
  const scopeIds = isOrganization
    ? await listScopesWithGrants(reader, place.organizationId ?? "")
    : scopesReaching(place, await rights.treeAt(await readAccessVersion(reader)));
  const asked = [{ key: "", scopeIds }];
  const [approvers = []] = await listApproversReaching(reader, asked, { at, limit: LIMITS.peopleCounted, hasProvider });
  const creators = new Map<Permission, readonly string[]>();
  // Only these rules ask for the people who create runs.
  const kinds = rules.filter(({ excludeRequester }) => excludeRequester).flatMap((rule) => rule.kinds);
  for (const permission of new Set(kinds.map(permissionToRun))) {
    const [ids = []] = await listActorIdsReaching(reader, permission, asked, at, LIMITS.peopleCounted);
    creators.set(permission, ids);
  }
  return { approvers, creatorsOf: (kind) => creators.get(permissionToRun(kind)) ?? [] };
}

function isActor(id: string): boolean {
  const kind = idKind(id);
  return kind === "user" || kind === "machineUser";
}
