import { idKind } from "../../model/kit/id.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type Permission, permissionSet } from "../../model/people/permission-set.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Token } from "../../model/people/token.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import { insertToken } from "../../persistence/people/token-store.ts";
import { requireGrantsOf } from "../access/attenuation.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkNetworks } from "./networks.ts";
import { requireOwnRights } from "./own-rights.ts";
import { hashSecret, newSecret } from "./secret.ts";
import { checkScopes } from "./token-scopes.ts";
import { checkTokenEnd, endOfOwn, NEW_TOKEN, tokenEnd } from "./token-end.ts";

export interface CreateOwnedTokenInput {
  /** The caller itself, or a machine user of an organization. */
  ownerId: string;
  name: string;
  /** `null`: all that the owner has. */
  permissions: readonly Permission[] | null;
  /** Ids of organizations, projects and workspaces; `null`: all places where the owner has rights. */
  scopeIds: readonly string[] | null;
  expiresAt: string | null;
  /** Networks in CIDR notation; `null`: those of the caller's own token, and any if it has none. */
  networks: readonly string[] | null;
}

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
  const end = tokenEnd(input.expiresAt, deps.clock(), endOfOwn(caller, ownerId));
  let networks: readonly string[] = [];
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
      checkTokenEnd(check, end);
      networks = checkNetworks(check, input.networks, caller.networks);
      check.require(
        permissions === null || permissions.length > 0,
        "permissions",
        "must have at least one, or be absent.",
      );
      await checkScopes(check, tx, caller, scopeIds);
    },
  } as const;
  return command(deps, caller, spec, async (tx, { actor }) => {
    if (actor.id === caller.actor.id) await requireOwnRights(tx, deps, caller, "create tokens");
    else if (actor.kind === "MACHINE") await requireGrantsOf(tx, deps, caller, actor.id);
    else throw new UserError("FORBIDDEN", "A token is made for oneself or for a machine user, not for another person.");
    const secret = newSecret(deps.randomBytes);
    const cap = { role: null, permissions: permissions === null ? null : permissionSet(permissions), scopeIds };
    const facts = { id: deps.newId("token"), name, actor, networks, createdAt: end.at, expiresAt: end.expiresAt };
    const token = { ...NEW_TOKEN, ...cap, ...facts };
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
  const found = kind === "user" || kind === "machineUser" ? await findEnabledActor(tx, id) : null;
  return found?.isOfRuns === true ? null : found;
}
