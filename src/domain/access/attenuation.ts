/** Rights can only be passed on by those who have them. */
import type { Place, Placed } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { covers, type PermissionSet, permissionsIn } from "../../model/people/permission-set.ts";
import { grantableAt } from "../../model/people/rights.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import {
  countAdministrators,
  listGrantsOfPrincipals,
  listGrantsOfRunsIn,
} from "../../persistence/people/grant-store.ts";
import { findRoles } from "../../persistence/people/role-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";

/** Throws FORBIDDEN unless the caller has all of these permissions at a place, or above it. */
export async function requireOwn(
  tx: Transaction,
  { rights }: Pick<Deps, "rights">,
  caller: ActorCaller,
  permissions: PermissionSet,
  place: Place,
): Promise<void> {
  const tree = await rights.treeAt(await readAccessVersion(tx));
  const own = grantableAt(caller.rights, place, tree);
  if (covers(own, permissions)) return;
  const lacking = permissionsIn(permissions).filter((permission) => !permissionsIn(own).includes(permission));
  const names =
    lacking.slice(0, NAMED).join(", ") + (lacking.length > NAMED ? `, and ${lacking.length - NAMED} more` : "");
  throw new UserError("FORBIDDEN", `You cannot give permissions that you do not have here: ${names}.`);
}

const NAMED = 5;

/** Throws FORBIDDEN unless the caller has itself all that a team, a machine user or the runs of a workspace were granted. */
export async function requireGrantsOf(
  tx: Transaction,
  deps: Pick<Deps, "rights" | "clock">,
  caller: ActorCaller,
  principalId: string,
): Promise<void> {
  const [grants = []] = await listGrantsOfPrincipals(tx, [principalId], deps.clock().toISOString());
  await requireGrants(tx, deps, caller, grants);
}

/**
 * Throws FORBIDDEN unless the caller has itself all that the runs of workspaces in a project were granted. Asked before
 * the project moves: who may start runs in it changes.
 */
export async function requireGrantsOfRunsIn(
  tx: Transaction,
  deps: Pick<Deps, "rights" | "clock">,
  caller: ActorCaller,
  projectId: string,
): Promise<void> {
  const at = deps.clock().toISOString();
  await requireGrants(tx, deps, caller, await listGrantsOfRunsIn(tx, projectId, at));
}

async function requireGrants(
  tx: Transaction,
  deps: Pick<Deps, "rights">,
  caller: ActorCaller,
  grants: readonly Placed<RoleGrant>[],
): Promise<void> {
  if (grants.length === 0) return;
  const roleIds = grants.map(({ roleId }) => roleId);
  const roles = await findRoles(tx, roleIds);
  for (const [index, grant] of grants.entries()) {
    const role = roles[index];
    if (role) await requireOwn(tx, deps, caller, role.permissions, grant);
  }
}

/**
 * Throws LAST_ADMINISTRATOR if no one has the role ADMIN any more on the organization, or on the installation (`null`).
 * Called after the change, in its transaction, which is then rolled back.
 */
export async function requireAdministrator(tx: Transaction, organizationId: string | null): Promise<void> {
  if ((await countAdministrators(tx, organizationId)) > 0) return;
  const where = organizationId === null ? "installation" : "organization";
  throw new UserError(
    "LAST_ADMINISTRATOR",
    `The ${where} would have no administrator any more. Give the role ADMIN to another person first, without an end.`,
  );
}
