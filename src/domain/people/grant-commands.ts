/** Commands about grants. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { placeOfScope, type Scope, SIGHT_OF_SCOPE } from "../../model/people/grant.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { type Place, type Placed, workspacePlace } from "../../model/people/place.ts";
import { builtInRoleId, type Role } from "../../model/people/role.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findScopes } from "../../persistence/people/access-store.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import {
  endExpiredGrants,
  insertGrant,
  listGrantsOfScopes,
  lockGrant,
  markGrantRevoked,
} from "../../persistence/people/grant-store.ts";
import { insertActorOfRuns } from "../../persistence/people/run-caller-store.ts";
import { lockRole } from "../../persistence/people/role-store.ts";
import { lockTeam } from "../../persistence/people/team-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { authorize, command, ON_INSTALLATION } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireAdministrator, requireOwn } from "../access/attenuation.ts";

export interface CreateGrantInput {
  principalId: string;
  roleId: string;
  /** `null`: the installation. */
  scopeId: string | null;
  expiresAt: string | null;
  reason: string | null;
}

/** Gives a role to a person, a machine user, a team or the runs of a workspace. The caller must have its permissions itself in the scope. */
export function createGrant(deps: Deps, caller: ActorCaller, input: CreateGrantInput): Promise<RoleGrant> {
  const { principalId, roleId, scopeId, expiresAt, reason } = input;
  const at = deps.clock().toISOString();
  const spec = {
    name: "createGrant",
    presence: "ALWAYS",
    subjectId: scopeId,
    noun: scopeId === null ? ON_INSTALLATION.noun : "scope",
    find: (tx: Transaction) => findScope(tx, scopeId),
    placeOf: placeOfScope,
    sight: scopeId === null ? ON_INSTALLATION.sight : SIGHT_OF_SCOPE[scopeKind(scopeId)],
    permission: "GRANT_WRITE",
    words: "granting roles",
    check: (check: InputCheck) => {
      check.text("reason", reason);
      check.require(expiresAt === null || expiresAt > at, "expiresAt", "must be in the future.");
    },
  } as const;
  return command(deps, caller, spec, async (tx, scope) => {
    const { organizationId } = placeOfScope(scope);
    const role = await getRole(tx, roleId, organizationId);
    await requireGrantee(tx, deps, caller, principalId, organizationId);
    await requireOwn(tx, deps, caller, role.permissions, placeOfScope(scope));
    const [others = []] = scopeId === null ? [] : await listGrantsOfScopes(tx, [scopeId], at);
    if (others.length >= LIMITS.grantsPerScope) {
      throw invalidField(
        "scopeId",
        `has ${LIMITS.grantsPerScope} grants, which is the limit. Grant to a team instead.`,
      );
    }
    await endExpiredGrants(tx, { principalId, roleId, scopeId }, { at, byId: caller.actor.id });
    const facts = { organizationId, principalId, roleId, scopeId, reason, expiresAt };
    const grant = { ...facts, id: deps.newId("grant"), grantedById: caller.actor.id, createdAt: at };
    await insertGrant(tx, grant).catch((error: unknown) => {
      if (!violates(error, "access_grant_live")) throw error;
      throw invalidField("roleId", "is granted to this principal in this scope already.");
    });
    return grant;
  });
}

function scopeKind(id: string | null): Scope["type"] {
  const kind = id === null ? "installation" : idKind(id);
  return kind === "organization" || kind === "project" || kind === "workspace" ? kind : "installation";
}

async function findScope(tx: Transaction, id: string | null): Promise<Scope | null> {
  if (id === null) return { type: "installation" };
  const [scope = null] = scopeKind(id) === "installation" ? [] : await findScopes(tx, [id]);
  return scope;
}

/** Locks a role that can be granted in an organization. */
async function getRole(tx: Transaction, roleId: string, organizationId: string | null): Promise<Role> {
  const role = idKind(roleId) === "role" ? await lockRole(tx, roleId) : null;
  if (role !== null && (role.organizationId === null || role.organizationId === organizationId)) return role;
  throw invalidField("roleId", "must be a built-in role, or a role of the organization.");
}

/** On the installation. */
const NO_OTHERS = ": on the installation teams and machine users get no grants. Name an organization as `scopeId`.";

/**
 * A person may have grants in any organization; a team, a machine user and the runs of a workspace only in theirs. The
 * actor of what runs do has no grants of its own.
 */
async function requireGrantee(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  principalId: string,
  organizationId: string | null,
): Promise<void> {
  const kind = idKind(principalId);
  if (kind === "workspace" && organizationId !== null) {
    if (await admitRunsOf(tx, deps, caller, principalId, organizationId)) return;
  }
  const team = kind === "team" ? await lockTeam(tx, principalId) : null;
  const found = kind === "user" || kind === "machineUser" ? await findEnabledActor(tx, principalId) : null;
  const home = team?.organizationId ?? found?.organizationId ?? null;
  const isThere = team !== null || (found !== null && !found.isOfRuns);
  if (isThere && (home === null || home === organizationId)) return;
  const others = organizationId === null ? NO_OTHERS : ", or a team, machine user or workspace of the organization.";
  throw invalidField("principalId", `must be a person${others}`);
}

/**
 * Admits the runs of a workspace as principal, and adds the actor of what they do. Returns false if the caller may not
 * read the workspace. Who may change it can let its runs do what they like, so this takes the same permission.
 */
async function admitRunsOf(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  workspaceId: string,
  organizationId: string,
): Promise<boolean> {
  const workspace = await lockKeptWorkspace(tx, workspaceId);
  if (workspace === null || workspace.organizationId !== organizationId) return false;
  const place = workspacePlace(workspace);
  if (!can(caller, "WORKSPACE_READ", place)) return false;
  authorize(caller, { permission: "WORKSPACE_UPDATE", words: "granting roles to the runs of this workspace" }, place);
  const createdAt = deps.clock().toISOString();
  // Shown to those who may not read the workspace, too.
  const name = "runs of a workspace";
  await insertActorOfRuns(tx, { id: deps.newId("machineUser"), name, organizationId, workspaceId, createdAt });
  return true;
}

/** Revokes a grant at once: the next request of those who had it is refused, on every server. */
export function revokeGrant(deps: Deps, caller: ActorCaller, input: { grantId: string }): Promise<string> {
  const { grantId } = input;
  const spec = {
    name: "revokeGrant",
    presence: "ALWAYS",
    subjectId: grantId,
    noun: "grant",
    find: async (tx: Transaction) => (idKind(grantId) === "grant" ? lockGrant(tx, grantId) : null),
    placeOf: (grant: Place) => grant,
    sight: "MEMBER_READ",
    permission: "GRANT_WRITE",
    words: "revoking grants",
  } as const;
  return command(deps, caller, spec, async (tx, grant: Placed<RoleGrant>) => {
    tx.announce("rights");
    await markGrantRevoked(tx, grantId, { at: deps.clock().toISOString(), byId: caller.actor.id });
    const isOfAdministrator = grant.roleId === builtInRoleId("ADMIN") && grant.scopeId === grant.organizationId;
    if (isOfAdministrator && grant.expiresAt === null) await requireAdministrator(tx, grant.organizationId);
    return grantId;
  });
}
