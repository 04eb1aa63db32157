/** Explains why an actor has a permission at a place, or why not. */
import { idKind } from "../../model/kit/id.ts";
import type { Actor } from "../../model/people/actor.ts";
import { type Grant, isWithin, placeOfScope, type Scope, SIGHT_OF_SCOPE } from "../../model/people/grant.ts";
import { type ActingRun, type ActorCaller, can, tokenIdOf } from "../../model/people/permission.ts";
import { includes, type Permission } from "../../model/people/permission-set.ts";
import type { Place, Placed } from "../../model/people/place.ts";
import { lineOf, type ProjectTree } from "../../model/people/project-tree.ts";
import { rightsOf, setAt } from "../../model/people/rights.ts";
import { builtInRolesWith, permissionsOf, type Role } from "../../model/people/role.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import { findScopes, readAccessVersion } from "../../persistence/people/access-store.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import { listGrantsOfPrincipals } from "../../persistence/people/grant-store.ts";
import { findWorkspacesOfActors } from "../../persistence/people/run-caller-store.ts";
import { findRoles } from "../../persistence/people/role-store.ts";
import { listTeamsOfActors } from "../../persistence/people/team-store.ts";
import { findTokens } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";

export interface AccessQuestion {
  permission: Permission;
  /** An organization, a project or a workspace; `null`: the installation. */
  scopeId: string | null;
  actorId: string;
}

export interface AccessExplanation {
  allowed: boolean;
  permission: Permission;
  /** The grants that give the permission there, without those that the caller may not read. */
  grants: readonly RoleGrant[];
  limitedBy: readonly string[];
  reason: string;
}

type ExplainDeps = Pick<Deps, "database" | "clock" | "rights">;

/** Returns the actors with these ids; `null` for those that the caller may not read. */
type ReadPeople = (caller: ActorCaller, ids: readonly string[]) => Promise<(Actor | null)[]>;

/**
 * Explains the rights of the caller, or of another actor to callers with MEMBER_READ there. `null` if the scope or the
 * actor does not exist, or the caller may not read it.
 */
export async function explainAccess(
  deps: ExplainDeps,
  people: ReadPeople,
  caller: ActorCaller,
  { permission, scopeId, actorId }: AccessQuestion,
): Promise<AccessExplanation | null> {
  const isSelf = actorId === caller.actor.id;
  const scope = await findVisibleScope(deps, caller, scopeId);
  if (scope === null) return null;
  const place = placeOfScope(scope);
  if (!isSelf && !can(caller, "MEMBER_READ", place)) return null;
  const kind = idKind(actorId);
  if (kind !== "user" && kind !== "machineUser") return null;

  const [workspaceId = null] = await findWorkspacesOfActors(deps.database, [actorId]);
  const principalId = workspaceId ?? actorId;
  const rows = await listGrantsOf(deps, principalId);
  // Grants that the caller may not read are left out of the answer, except from whether the permission is held.
  const readable = rows.filter((row) => isSelf || can(caller, "MEMBER_READ", row));
  // Without a grant that the caller may read, an actor is hidden unless the caller may look it up.
  const isShown = isSelf || readable.length > 0;
  if (!isShown && ((await people(caller, [actorId]))[0] ?? null) === null) return null;
  const { has, tree } = await ownRights(deps, principalId, { permission, place });
  const held = (await withRoles(deps, readable)).filter(({ role }) => includes(role.permissions, permission));
  const reaching = held.filter(({ grant }) => includes(setAt(rightsOf([grant], tree), place), permission));
  const isCut = held.some((one) => isWithin(place, one.grant.scope, tree) && !reaching.includes(one));
  const isolated = isCut && !has ? isolatedBy(caller, place, tree) : [];
  const limits = isSelf ? await limitsOfToken(deps, caller, permission) : await limitsOfActor(deps, actorId);
  const allowed = isSelf ? can(caller, permission, place) : has && limits.length === 0;
  const limitedBy = [...isolated, ...(has && !allowed ? limits : [])];
  return {
    allowed,
    permission,
    grants: reaching.map(({ row }) => row),
    limitedBy,
    reason: allowed ? whyAllowed(reaching) : (limitedBy[0] ?? whyNot(permission)),
  };
}

async function findVisibleScope(
  { database }: ExplainDeps,
  caller: ActorCaller,
  id: string | null,
): Promise<Scope | null> {
  if (id === null) return { type: "installation" };
  const kind = idKind(id);
  const isScope = kind === "organization" || kind === "project" || kind === "workspace";
  const [scope = null] = isScope ? await findScopes(database, [id]) : [];
  return scope !== null && can(caller, SIGHT_OF_SCOPE[scope.type], placeOfScope(scope)) ? scope : null;
}

/** Whether all grants of an actor, or of the runs of a workspace, together give the permission. */
async function ownRights(
  { database, rights: cache }: ExplainDeps,
  principalId: string,
  { permission, place }: { permission: Permission; place: Place },
): Promise<{ has: boolean; tree: ProjectTree }> {
  const version = await readAccessVersion(database);
  const holder = { credentialId: `all of ${principalId}`, principalId, cap: null };
  const { rights } = await cache.rightsOf(holder, version);
  return { has: includes(setAt(rights, place), permission), tree: await cache.treeAt(version) };
}

interface HeldGrant {
  row: Placed<RoleGrant>;
  role: Role;
  grant: Grant;
}

/** The grants in force of an actor and of its teams, or of the runs of a workspace. */
async function listGrantsOf({ database, clock }: ExplainDeps, principalId: string): Promise<Placed<RoleGrant>[]> {
  const at = clock().toISOString();
  const [teams = []] = await listTeamsOfActors(database, [principalId], at);
  return (await listGrantsOfPrincipals(database, [principalId, ...teams.map(({ id }) => id)], at)).flat();
}

async function withRoles({ database }: ExplainDeps, rows: readonly Placed<RoleGrant>[]): Promise<HeldGrant[]> {
  if (rows.length === 0) return [];
  const roles = await findRoles(
    database,
    rows.map(({ roleId }) => roleId),
  );
  return rows.flatMap((row, index) => {
    const role = roles[index];
    return role ? [{ row, role, grant: { permissions: role.permissions, scope: scopeOfGrant(row) } }] : [];
  });
}

function scopeOfGrant({ organizationId, projectId, workspaceId }: Place): Scope {
  if (organizationId === null) return { type: "installation" };
  if (projectId === null) return { type: "organization", organizationId };
  if (workspaceId === null) return { type: "project", organizationId, projectId };
  return { type: "workspace", organizationId, projectId, workspaceId };
}

function isolatedBy(caller: ActorCaller, { organizationId, projectId }: Place, tree: ProjectTree): string[] {
  const line = projectId === null ? [] : lineOf(tree, projectId);
  const nameOf = (id: string) =>
    can(caller, "PROJECT_READ", { organizationId, projectId: id, workspaceId: null })
      ? `The project ${id}`
      : "A project";
  const isolated = line.filter((project) => project.isolated);
  return [...new Set(isolated.map(({ id }) => `${nameOf(id)} is isolated: grants from above do not reach into it.`))];
}

async function limitsOfActor({ database }: ExplainDeps, actorId: string): Promise<string[]> {
  return (await findEnabledActor(database, actorId)) === null ? ["The actor is disabled."] : [];
}

/** Names what the token takes away from the rights of its owner. */
async function limitsOfToken(
  { database }: ExplainDeps,
  caller: ActorCaller,
  permission: Permission,
): Promise<string[]> {
  if (caller.run !== undefined) return limitsOfRun(caller.run, permission);
  const tokenId = tokenIdOf(caller);
  const [token = null] = tokenId === null ? [] : await findTokens(database, [tokenId]);
  if (token === null) return [];
  const limits: string[] = [];
  if (token.role !== null && !includes(permissionsOf(token.role), permission)) {
    limits.push(`The token has the role ${token.role}, which does not have ${permission}.`);
  }
  if (token.permissions !== null && !includes(token.permissions, permission)) {
    limits.push(`The token is limited to permissions without ${permission}.`);
  }
  if (limits.length === 0 && token.scopeIds !== null) limits.push("The token is limited to other places.");
  return limits;
}

function limitsOfRun({ cap }: ActingRun, permission: Permission): string[] {
  if (includes(cap, permission)) return [];
  return [
    `A run does not have ${permission} on this leg: it approves nothing, makes no tokens, and only reads while it plans.`,
  ];
}

function whyAllowed(held: readonly HeldGrant[]): string {
  const [first] = held;
  if (first === undefined) return "Grants in other places give it.";
  const { row, role } = first;
  const who = idKind(row.principalId) === "team" ? "A team of the actor" : "The actor";
  return `${who} has the role ${role.name} on ${row.scopeId ?? "the installation"}.`;
}

function whyNot(permission: Permission): string {
  return `No grant gives ${permission} here. It needs one of a role such as ${builtInRolesWith(permission)[0]}.`;
}
