/** Commands about teams and their members. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { builtInRoleId } from "../../model/people/role.ts";
import type { Team } from "../../model/people/team.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import { listGrantsOfPrincipals } from "../../persistence/people/grant-store.ts";
import {
  deleteMember,
  insertMember,
  insertTeam,
  listTeams,
  lockTeam,
  markTeamDeleted,
  updateTeamRow,
} from "../../persistence/people/team-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { requireAdministrator, requireGrantsOf } from "../access/attenuation.ts";
import { onOrganization } from "./people-command.ts";
import { requireNotNamed } from "./named-team.ts";

export interface CreateTeamInput {
  organizationId: string;
  name: string;
  externalIds: readonly string[];
}

/** Creates a team without members. */
export function createTeam(deps: Deps, caller: ActorCaller, input: CreateTeamInput): Promise<Team> {
  const { organizationId, name } = input;
  const spec = {
    ...onOrganization(organizationId),
    name: "createTeam",
    permission: "MEMBER_WRITE",
    words: "creating teams",
    check: (check: InputCheck) => {
      check.label("name", name);
      checkExternalIds(check, input.externalIds);
    },
  } as const;
  return command(deps, caller, spec, async (tx) => {
    const [teams = []] = await listTeams(tx, [organizationId]);
    if (teams.length >= LIMITS.teamsPerOrganization) {
      throw invalidField("organizationId", `has ${LIMITS.teamsPerOrganization} teams, which is the limit.`);
    }
    const externalIds = [...new Set(input.externalIds)];
    const team = { id: deps.newId("team"), organizationId, name, externalIds, createdAt: deps.clock().toISOString() };
    await insertTeam(tx, team).catch((error: unknown) => {
      throw teamNameTaken(error, name);
    });
    return team;
  });
}

function checkExternalIds(check: InputCheck, ids: readonly string[]): void {
  const most = LIMITS.externalIdsPerTeam;
  check.require(ids.length <= most, "externalIds", `must be at most ${most}.`);
  for (const [index, id] of ids.slice(0, most).entries()) {
    const ok = id.trim() === id && id !== "" && id.length <= LIMITS.nameLength && isStorable(id);
    check.require(
      ok,
      `externalIds.${index}`,
      `must have 1 to ${LIMITS.nameLength} characters, without white space around them.`,
    );
  }
}

function teamNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "team_name")) return error;
  return new UserError("NAME_TAKEN", `The organization already has a team "${name}". Choose another name.`);
}

function onTeam(teamId: string) {
  return {
    subjectId: teamId,
    noun: "team",
    find: async (tx: Transaction) => (idKind(teamId) === "team" ? lockTeam(tx, teamId) : null),
    placeOf: ({ organizationId }: Team) => organizationPlace({ id: organizationId }),
    sight: "MEMBER_READ",
    permission: "MEMBER_WRITE",
  } as const;
}

export interface UpdateTeamInput {
  teamId: string;
  name?: string | null | undefined;
  externalIds?: readonly string[] | null | undefined;
}

/** Renames a team, or changes the groups of the identity provider whose people become members. */
export function updateTeam(deps: Deps, caller: ActorCaller, input: UpdateTeamInput): Promise<Team> {
  const { teamId, name, externalIds } = input;
  const spec = {
    ...onTeam(teamId),
    name: "updateTeam",
    presence: externalIds === undefined ? undefined : "ALWAYS",
    words: "changing teams",
    check: (check: InputCheck) => {
      check.require(name !== null, "name", "must not be null.");
      check.require(externalIds !== null, "externalIds", "must not be null.");
      if (typeof name === "string") check.label("name", name);
      if (externalIds) checkExternalIds(check, externalIds);
    },
  } as const;
  return command(deps, caller, spec, async (tx, team) => {
    // Who names a group gives its people the grants of the team.
    if (externalIds) await requireGrantsOf(tx, deps, caller, team.id);
    const changed = { ...team, name: name ?? team.name, externalIds: [...new Set(externalIds ?? team.externalIds)] };
    await updateTeamRow(tx, teamId, changed).catch((error: unknown) => {
      throw teamNameTaken(error, changed.name);
    });
    return changed;
  });
}

/** Deletes a team that no approval rule and no policy set names. Its members lose what it was granted, at once. */
export function deleteTeam(deps: Deps, caller: ActorCaller, input: { teamId: string }): Promise<string> {
  const { teamId } = input;
  const spec = { ...onTeam(teamId), name: "deleteTeam", words: "deleting teams", presence: "ALWAYS" } as const;
  return command(deps, caller, spec, async (tx, team) => {
    await requireNotNamed(tx, caller, team);
    const isAdministrator = await administers(tx, deps, team);
    tx.announce("rights");
    await markTeamDeleted(tx, teamId, deps.clock().toISOString());
    if (isAdministrator) await requireAdministrator(tx, team.organizationId);
    return teamId;
  });
}

export interface TeamMemberInput {
  teamId: string;
  actorId: string;
}

/** Adds a person or a machine user to a team. The caller must have itself what the team was granted. */
export function addTeamMember(deps: Deps, caller: ActorCaller, input: TeamMemberInput): Promise<Team> {
  const { teamId, actorId } = input;
  const spec = {
    ...onTeam(teamId),
    name: "addTeamMember",
    words: "adding members to teams",
    presence: "ALWAYS",
  } as const;
  return command(deps, caller, spec, async (tx, team) => {
    await requireMember(tx, team, actorId);
    await requireGrantsOf(tx, deps, caller, team.id);
    await insertMember(tx, { teamId, actorId, addedAt: deps.clock().toISOString() });
    return team;
  });
}

async function requireMember(tx: Transaction, { organizationId }: Team, actorId: string): Promise<void> {
  const kind = idKind(actorId);
  const actor = kind === "user" || kind === "machineUser" ? await findEnabledActor(tx, actorId) : null;
  const home = actor?.organizationId ?? organizationId;
  // The runs of a workspace have the grants of the workspace alone.
  if (actor === null || actor.isOfRuns || home !== organizationId) {
    throw invalidField("actorId", "must be the id of a person, or of a machine user of the organization.");
  }
}

/** Removes a person or a machine user from a team, also one that came by a group. */
export function removeTeamMember(deps: Deps, caller: ActorCaller, input: TeamMemberInput): Promise<Team> {
  const { teamId, actorId } = input;
  const spec = {
    ...onTeam(teamId),
    name: "removeTeamMember",
    words: "removing members from teams",
    presence: "ALWAYS",
  } as const;
  return command(deps, caller, spec, async (tx, team) => {
    const isAdministrator = await administers(tx, deps, team);
    if (!isStorable(actorId) || !(await deleteMember(tx, teamId, actorId))) throw notFound("member");
    tx.announce("rights");
    if (isAdministrator) await requireAdministrator(tx, team.organizationId);
    return team;
  });
}

/** Whether a team has the role ADMIN on its organization. */
async function administers(tx: Transaction, deps: Deps, { id, organizationId }: Team): Promise<boolean> {
  const [grants = []] = await listGrantsOfPrincipals(tx, [id], deps.clock().toISOString());
  return grants.some(({ roleId, scopeId }) => roleId === builtInRoleId("ADMIN") && scopeId === organizationId);
}
