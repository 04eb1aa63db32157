/** Callers with exactly the rights that a probe is about. */
import { randomUUID } from "node:crypto";
import { type Permission, PERMISSIONS } from "../../src/model/people/permission-set.ts";
import type { Api } from "../support/api.ts";
import { closureOf } from "./principals.ts";
import type { WalkScene } from "./walk-scene.ts";

/** All permissions but these, and those that are of no use without them: a token would include them with those. */
export function allBut(...lacking: Permission[]): Permission[] {
  return PERMISSIONS.filter((one) => !closureOf([one]).some((needed) => lacking.includes(needed)));
}

/** Creates a role of the organization, with all that its permissions need. */
export async function roleOf(walk: WalkScene, permissions: readonly Permission[]): Promise<string> {
  const { organizationId } = walk;
  const role = { organizationId, name: `role-${randomUUID()}`, permissions: [...new Set(closureOf(permissions))] };
  return (await walk.make("createRole", role, "role { id }")).role.id;
}

const known = new WeakMap<WalkScene, Map<string, Promise<string>>>();

/** A role of which no probe changes anything: an organization has a limited number of roles. */
function sharedRoleOf(walk: WalkScene, permissions: readonly Permission[]): Promise<string> {
  const roles = known.get(walk) ?? new Map<string, Promise<string>>();
  known.set(walk, roles);
  const key = permissions.toSorted().join();
  const roleId = roles.get(key) ?? roleOf(walk, permissions);
  roles.set(key, roleId);
  return roleId;
}

/** Gives a principal these permissions at a place. */
async function give(
  walk: WalkScene,
  principalId: string,
  permissions: readonly Permission[],
  scopeId: string,
): Promise<void> {
  const roleId = await sharedRoleOf(walk, permissions);
  await walk.make("createGrant", { principalId, roleId, scopeId }, "grant { id }");
}

/** A machine user with these permissions at these places. */
export async function callerWith(
  walk: WalkScene,
  places: Readonly<Record<string, readonly Permission[]>>,
): Promise<Api> {
  const id = await walk.createAccount();
  for (const [scopeId, permissions] of Object.entries(places)) await give(walk, id, permissions, scopeId);
  return walk.tokenOf(id);
}

export async function createProject({ make, organizationId }: WalkScene): Promise<string> {
  return (await make("createProject", { organizationId, name: `p-${randomUUID()}` }, "project { id }")).project.id;
}

/** Creates a machine user with all permissions on the organization. */
export async function createAdministrator(walk: WalkScene): Promise<string> {
  const id = await walk.createAccount();
  await walk.grant(id, "ADMIN", walk.organizationId);
  return id;
}

/** Creates a team whose members have all permissions on the organization. */
export async function createAdministrators(walk: WalkScene): Promise<string> {
  const { organizationId } = walk;
  const { team } = await walk.make("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team { id }");
  await walk.grant(team.id, "ADMIN", organizationId);
  return team.id;
}
