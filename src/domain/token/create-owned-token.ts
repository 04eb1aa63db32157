import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type Permission, permissionSet } from "../../model/people/permission-set.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { fingerprint } from "../../model/people/rights.ts";
import type { Token } from "../../model/people/token.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findScopes, readAccessVersion } from "../../persistence/people/access-store.ts";
import { findGrantee } from "../../persistence/people/actor-store.ts";
import { insertToken } from "../../persistence/people/token-store.ts";
import { requireGrantsOf } from "../access/attenuation.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { hashSecret, newSecret } from "./secret.ts";

export interface CreateOwnedTokenInput {
  /** The caller itself, or a machine user of an organization. */
  ownerId: string;
  name: string;
  /** `null`: all that the owner has. */
  permissions: readonly Permission[] | null;
  /** Ids of organizations, projects and workspaces; `null`: all places where the owner has rights. */
  scopeIds: readonly string[] | null;
  expiresAt: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface Owner {
  actor: Actor;
  organizationId: string | null;
}

/**
 * Creates a token for an actor that exists: for the caller itself, or for a machine user. It has the rights of its owner,
 * reduced to the permissions and to the parts of the tree that are given. It always has an end.
 */
export function createOwnedToken(
  deps: Deps,
  caller: ActorCaller,
  input: CreateOwnedTokenInput,
): Promise<{ token: Token; secret: string }> {
  const { ownerId, name, permissions, scopeIds } = input;
  const at = deps.clock();
  const longest = new Date(at.getTime() + LIMITS.tokenDays * DAY_MS).toISOString();
  const expiresAt = input.expiresAt ?? new Date(at.getTime() + LIMITS.tokenDaysByDefault * DAY_MS).toISOString();
  const spec = {
    name: "createToken",
    presence: "ALWAYS",
    subjectId: ownerId,
    noun: "owner",
    find: (tx: Transaction) => findOwner(tx, ownerId),
    placeOf: ({ organizationId }: Owner) => organizationPlace({ id: organizationId ?? "" }),
    isOwn: ({ actor }: Owner) => actor.id === caller.actor.id,
    sight: "MEMBER_READ",
    permission: "TOKEN_WRITE",
    words: "creating tokens for machine users",
    check: async (check: InputCheck, _owner: Owner, tx: Transaction) => {
      check.label("name", name);
      check.require(expiresAt > at.toISOString(), "expiresAt", "must be in the future.");
      check.require(expiresAt <= longest, "expiresAt", `must be within ${LIMITS.tokenDays} days.`);
      check.require(
        permissions === null || permissions.length > 0,
        "permissions",
        "must have at least one, or be absent.",
      );
      await checkScopes(check, tx, scopeIds);
    },
  } as const;
  return command(deps, caller, spec, async (tx, { actor }) => {
    if (actor.id === caller.actor.id) await requireUnlimited(deps, caller);
    else if (actor.kind === "MACHINE") await requireGrantsOf(tx, deps, caller, actor.id);
    else throw new UserError("FORBIDDEN", "A token is made for oneself or for a machine user, not for another person.");
    const secret = newSecret(deps.randomBytes);
    const cap = { role: null, permissions: permissions === null ? null : permissionSet(permissions), scopeIds };
    const facts = { id: deps.newId("token"), name, actor, createdAt: at.toISOString(), expiresAt };
    const token = { ...cap, ...facts, lastUsedAt: null, revokedAt: null };
    await insertToken(tx, token, hashSecret(secret)).catch((error: unknown) => {
      if (!violates(error, "token_live_name_of_actor")) throw error;
      throw new UserError("NAME_TAKEN", `The owner already has a token "${name}". Revoke it, or choose another name.`);
    });
    return { token, secret };
  }).catch((error: unknown) => {
    throw error instanceof UserError && error.code === "NOT_FOUND" ? invalidField("ownerId", UNKNOWN_OWNER) : error;
  });
}

/** An error that is the same for an owner that is hidden and for one that does not exist. */
const UNKNOWN_OWNER = "must be your own id, or that of a machine user that you may read.";

async function findOwner(tx: Transaction, id: string): Promise<Owner | null> {
  const kind = idKind(id);
  return kind === "user" || kind === "machineUser" ? findGrantee(tx, id) : null;
}

async function checkScopes(check: InputCheck, tx: Transaction, ids: readonly string[] | null): Promise<void> {
  if (ids === null) return;
  const most = LIMITS.scopesPerToken;
  check.require(ids.length > 0 && ids.length <= most, "scopeIds", `must be 1 to ${most}, or absent.`);
  if (ids.length > most) return;
  const kinds = new Set(["organization", "project", "workspace"]);
  const isScope = (id: string): boolean => kinds.has(idKind(id) ?? "");
  const found = new Set(
    (await findScopes(tx, ids.filter(isScope))).map((scope) => {
      if (scope.type === "organization") return scope.organizationId;
      return scope.type === "project" ? scope.projectId : scope.type === "workspace" ? scope.workspaceId : "";
    }),
  );
  for (const [index, id] of ids.entries()) {
    check.require(found.has(id), `scopeIds.${index}`, "must be the id of an organization, a project or a workspace.");
  }
}

/** A token that is limited cannot make one with less limits: it makes none. */
async function requireUnlimited(deps: Deps, caller: ActorCaller): Promise<void> {
  const whole = await deps.rights.rightsOf(
    { credentialId: `all of ${caller.actor.id}`, actorId: caller.actor.id, cap: null },
    await readAccessVersion(deps.database),
  );
  if (fingerprint(whole.rights) === fingerprint(caller.rights)) return;
  throw new UserError("FORBIDDEN", "A token that is limited cannot create tokens. Use one with all of your rights.");
}
