/** Callers of all kinds, each with the grants that it has, and a plain evaluation of what these allow. */
import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { PERMISSIONS, type Permission, permissionsIn } from "../../src/model/people/permission-set.ts";
import { BUILT_IN_ROLES, type BuiltInRole, lackingPermissions, permissionsOf } from "../../src/model/people/role.ts";
import { type Api, createApi } from "../support/api.ts";
import type { WalkScene } from "./walk-scene.ts";
import type { World, WorldPlace, WorldWorkspace } from "./world.ts";

interface HeldGrant {
  permissions: readonly Permission[];
  /** The id of an organization, a project or a workspace; `null`: the installation. */
  scopeId: string | null;
  /** The organization of the scope. */
  organizationId: string | null;
}

export interface Principal {
  name: string;
  api: Api;
  actorId: string;
  grants: readonly HeldGrant[];
  /** What its token is limited to. */
  cap?: { permissions?: readonly Permission[]; scopeIds?: readonly string[] };
}

/** With what is needed to see the objects of permissions. */
export function closureOf(permissions: readonly Permission[]): Permission[] {
  const lacking = lackingPermissions(permissions);
  return lacking.length === 0 ? [...permissions, "ORGANIZATION_READ"] : closureOf([...permissions, ...lacking]);
}

const isIn = (scopeId: string | null, place: WorldPlace): boolean =>
  scopeId === null || [place.organizationId, place.projectId, place.workspaceId].includes(scopeId);

/** What reaches into an isolated project from above, for those who may grant there. */
const INTO_ISOLATION: readonly Permission[] = ["PROJECT_READ", "GRANT_WRITE"];

/** Whether a principal has a permission at a place: written apart from `can`, grant by grant. */
export function has({ grants, cap }: Principal, permission: Permission, place: WorldPlace): boolean {
  return grants.some(({ permissions: given, scopeId, organizationId }) => {
    const permissions = given.filter((one) => cap?.permissions?.includes(one) ?? true);
    // A right anywhere in an organization shows the organization.
    if (permission === "ORGANIZATION_READ" && permissions.length > 0) {
      const isOwn = scopeId === null || organizationId === place.organizationId;
      if (isOwn && place.organizationId !== null && place.projectId === null) return true;
    }
    if (!permissions.includes(permission)) return false;
    if (!isIn(scopeId, place) || !(cap?.scopeIds?.some((id) => isIn(id, place)) ?? true)) return false;
    const isAbove = scopeId === null || scopeId === organizationId;
    if (!place.isIsolated || !isAbove) return true;
    return given.includes("GRANT_WRITE") && INTO_ISOLATION.includes(permission);
  });
}

const ENDED = "an administrator whose grant has ended";

/** Principals to whom different things are hidden, by name. */
export const DIFFERING: readonly string[] = [
  "a stranger",
  ENDED,
  "a run",
  "ADMIN of the organization",
  "ADMIN of the project",
  "ADMIN of the other organization",
  "READER of the isolated project",
  "READER of the workspace",
  "AUDITOR of the installation",
  "a token for the workspace",
];

/** What a run that plans may do at most: it only reads. */
const READING = PERMISSIONS.filter((permission) => permission.endsWith("_READ"));

/** A run that acts by the grant of its workspace. */
async function createRunPrincipal(walk: WalkScene, at: WorldWorkspace): Promise<Principal> {
  const { scene, organizationId } = walk;
  const workspaceId = await scene.createWorkspace();
  await walk.grant(workspaceId, "READER", at.projectId);
  const { job } = await scene.claim(await scene.createRun(workspaceId));
  if (job.runToken === undefined || job.runToken === null) throw new Error("The run has no token.");
  const api = createApi(scene.server.url, job.runToken);
  const actorId: string = (await api.ask("{ viewer { actor { id } } }")).viewer.actor.id;
  const permissions = permissionsIn(permissionsOf("READER")).filter((permission) => READING.includes(permission));
  return { name: "a run", api, actorId, grants: [{ permissions, scopeId: at.projectId, organizationId }] };
}

/** Credentials that are refused, by what they are. */
export async function createRefused(walk: WalkScene): Promise<Record<string, string>> {
  const { scene, organizationId } = walk;
  const administrator = async () => {
    const actorId = await walk.createAccount();
    await walk.grant(actorId, "ADMIN", organizationId);
    return { actorId, token: (await walk.tokenOf(actorId)).token };
  };
  const [disabled, revoked, expired] = [await administrator(), await administrator(), await administrator()];
  await walk.make("disableUser", { userId: disabled.actorId }, "actor { id }");
  await scene.rows("update token set revoked_at = now() where actor_id = $1", revoked.actorId);
  await scene.rows("update token set expires_at = '2000-01-01' where actor_id = $1", expired.actorId);
  return {
    "a disabled user": disabled.token,
    "a revoked token": revoked.token,
    "a token that has expired": expired.token,
    "a token that no one has": "hpt_nobody",
    nothing: "",
  };
}

/** Creates principals: those with these names, or all. `single`: permissions of which some have just one, or all others. */
export async function createPrincipals(
  walk: WalkScene,
  world: World,
  single: readonly Permission[],
  names?: readonly string[],
): Promise<Principal[]> {
  const principals: Principal[] = [];
  const isWanted = (name: string): boolean => names?.includes(name) ?? true;
  const { scene, organizationId } = walk;
  const [shown, isolated] = world.workspaces;
  const [, other] = world.organizations;
  if (shown === undefined || isolated === undefined || other === undefined) throw new Error("The world is not whole.");
  const held = (role: BuiltInRole, scopeId: string | null, home: string | null): HeldGrant => ({
    permissions: permissionsIn(permissionsOf(role)),
    scopeId,
    organizationId: scopeId === null ? null : home,
  });
  const machine = async (name: string, grants: HeldGrant[], role: BuiltInRole, scopeId: string, home: string) => {
    const actorId = await walk.createAccount(home);
    await walk.grant(actorId, role, scopeId);
    const principal = { name, actorId, grants, api: await walk.tokenOf(actorId) };
    principals.push(principal);
    return principal;
  };
  const places = {
    organization: organizationId,
    project: shown.projectId,
    "isolated project": isolated.projectId,
    workspace: shown.id,
    "other organization": other.id,
  };
  for (const role of BUILT_IN_ROLES) {
    for (const [word, scopeId] of Object.entries(places)) {
      // Elsewhere the roles that differ most; all of them at all places in soaks.
      if (word !== "organization" && !inject("soaks") && !["READER", "ADMIN"].includes(role)) continue;
      const home = scopeId === other.id ? other.id : organizationId;
      if (!isWanted(`${role} of the ${word}`)) continue;
      await machine(`${role} of the ${word}`, [held(role, scopeId, home)], role, scopeId, home);
    }
  }
  const person = async (role: BuiltInRole) => {
    const api = await scene.login("READER");
    await scene.rows(
      "update access_grant set revoked_at = now(), revoked_by = $1 where principal_id = $1",
      api.actorId,
    );
    await scene.rows("update token set role = null where id = $1", api.tokenId);
    await walk.grant(api.actorId, role, null);
    await api.send("{ viewer { role } }");
    return api;
  };
  for (const role of ["READER", "AUDITOR", "OPERATOR"] as const) {
    if (!isWanted(`${role} of the installation`)) continue;
    const api = await person(role);
    principals.push({
      name: `${role} of the installation`,
      api,
      actorId: api.actorId,
      grants: [held(role, null, null)],
    });
  }
  let owner: ReturnType<typeof person> | undefined;
  const capped = async (name: string, permissions: readonly Permission[]) => {
    if (!isWanted(name)) return;
    owner ??= person("ADMIN");
    const everything = await owner;
    const input = { name: randomUUID(), ownerId: everything.actorId, permissions };
    const { secret } = await walk.send(everything, "createToken", input, "secret");
    const api = createApi(walk.scene.server.url, secret);
    await api.send("{ viewer { role } }");
    const { actorId } = everything;
    principals.push({ name, api, actorId, grants: [held("ADMIN", null, null)], cap: { permissions } });
  };
  for (const permission of single) {
    await capped(`only ${permission}`, closureOf([permission]));
    const rest = PERMISSIONS.filter((one) => !closureOf([one]).includes(permission));
    // It is always included.
    if (permission !== "ORGANIZATION_READ") await capped(`all but ${permission}`, rest);
  }
  // Tokens that are narrowed to a part of what their owner has.
  for (const [word, scopeId] of Object.entries({ workspace: shown.id, "isolated project": isolated.projectId })) {
    if (!isWanted(`a token for the ${word}`)) continue;
    const actorId = await walk.createAccount();
    await walk.grant(actorId, "ADMIN", organizationId);
    const api = await walk.tokenOf(actorId, { scopeIds: [scopeId] });
    const grants = [held("ADMIN", organizationId, organizationId)];
    principals.push({ name: `a token for the ${word}`, api, actorId, grants, cap: { scopeIds: [scopeId] } });
  }
  const member = async (name: string, lapsed: boolean) => {
    if (!isWanted(name)) return;
    const input = { organizationId, name: randomUUID() };
    const { team } = await walk.make("createTeam", input, "team { id }");
    await walk.grant(team.id, "MAINTAINER", shown.projectId);
    const actorId = await walk.createAccount();
    await walk.make("addTeamMember", { teamId: team.id, actorId }, "team { id }");
    if (lapsed) await scene.rows("update team_member set lapses_at = '2000-01-01' where actor_id = $1", actorId);
    const grants = lapsed ? [] : [held("MAINTAINER", shown.projectId, organizationId)];
    principals.push({ name, api: await walk.tokenOf(actorId), actorId, grants });
  };
  await member("a member of a team", false);
  await member("a member of a team that has lapsed", true);
  if (isWanted(ENDED)) {
    // Its grant ended by its time.
    const actorId = await walk.createAccount();
    const grantId = await walk.grant(actorId, "ADMIN", organizationId);
    await scene.rows("update access_grant set expires_at = '2000-01-01' where id = $1", grantId);
    principals.push({ name: ENDED, api: await walk.tokenOf(actorId), actorId, grants: [] });
  }
  if (isWanted("a run")) principals.push(await createRunPrincipal(walk, shown));
  if (isWanted("a stranger")) {
    const actorId = await walk.createAccount();
    principals.push({ name: "a stranger", api: await walk.tokenOf(actorId), actorId, grants: [] });
  }
  return principals;
}
