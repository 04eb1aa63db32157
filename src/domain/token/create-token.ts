import type { ActorKind } from "../../model/people/actor.ts";
import type { TokenRole } from "../../model/people/role.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Token } from "../../model/people/token.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { insertActor } from "../../persistence/people/actor-store.ts";
import { violates } from "../../persistence/database/database.ts";
import { insertGrant, onInstallation } from "../../persistence/people/grant-store.ts";
import { insertToken } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandInSteps, ON_INSTALLATION } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { createOwnedToken } from "./create-owned-token.ts";
import { checkNetworks } from "./networks.ts";
import { hashSecret, newSecret } from "./secret.ts";
import { checkTokenEnd, NEW_TOKEN, tokenEnd } from "./token-end.ts";

/** A token that is limited by its role alone. */
const UNLIMITED = { permissions: null, scopeIds: null } as const;

export interface CreateTokenInput {
  name: string;
  actor: ActorKind;
  /** With it a new actor is made, which is granted the role on the installation; without it there is an owner. */
  role: TokenRole | null;
  ownerId: string | null;
  permissions: readonly Permission[] | null;
  scopeIds: readonly string[] | null;
  expiresAt: string | null;
  /** Networks in CIDR notation; `null`: those of the caller's own token, and any if it has none. */
  networks: readonly string[] | null;
}

type CreatedToken = { token: Token; secret: string };

/** Creates a token for an owner, or one with a role and an actor of its own. The secret is returned only here. */
export function createToken(deps: Deps, caller: ActorCaller, input: CreateTokenInput): Promise<CreatedToken> {
  const { role, ownerId } = input;
  if (ownerId !== null && role === null) return createOwnedToken(deps, caller, { ...input, ownerId });
  if (ownerId === null && role !== null && input.permissions === null && input.scopeIds === null) {
    return createRoleToken(deps, caller, { ...input, role });
  }
  throw invalidField(
    "ownerId",
    "must be given with permissions and scopeIds, or role instead of all three: role makes a new actor.",
  );
}

/**
 * Creates a token and a new actor for it.
 *
 * The actor is never reused. Otherwise an administrator could create a token with the name of a revoked one and approve
 * as that person.
 */
function createRoleToken(
  deps: Deps,
  caller: ActorCaller,
  input: CreateTokenInput & { role: TokenRole },
): Promise<CreatedToken> {
  const { name, role } = input;
  const end = tokenEnd(input.expiresAt, deps.clock());
  const { at, expiresAt } = end;
  let networks: readonly string[] = [];
  const spec = {
    ...ON_INSTALLATION,
    name: "createToken",
    presence: "ALWAYS",
    subjectId: name,
    permission: "TOKEN_WRITE",
    words: "creating tokens",
    check: (check: InputCheck) => {
      checkInput(check, input);
      checkTokenEnd(check, end);
      networks = checkNetworks(check, input.networks, caller.networks);
    },
  } as const;
  return commandInSteps(deps, caller, spec, async (_installation, check) => {
    check.done();
    const secret = newSecret(deps.randomBytes);
    try {
      const token = await deps.database.transaction(async (tx) => {
        const kind = input.actor;
        const actor = { id: deps.newId(kind === "MACHINE" ? "machineUser" : "user"), kind, name };
        await insertActor(tx, actor, at);
        const id = deps.newId("token");
        const made = { ...NEW_TOKEN, ...UNLIMITED, id, name, role, actor, networks, createdAt: at, expiresAt };
        const grant = { id: deps.newId("grant"), principalId: actor.id, grantedById: caller.actor.id, createdAt: at };
        await insertGrant(tx, { ...grant, ...onInstallation(role), reason: null, expiresAt: null });
        await insertToken(tx, made, hashSecret(secret));
        return made;
      });
      return { token, secret };
    } catch (error) {
      if (!violates(error, "token_live_name")) throw error;
      throw new UserError("NAME_TAKEN", `A token "${name}" already exists. Revoke it, or choose another name.`);
    }
  });
}

function checkInput(check: InputCheck, { name, actor }: CreateTokenInput): void {
  const ok = name.trim() === name && name.length > 0 && name.length <= LIMITS.nameLength && !/\p{Cc}/u.test(name);
  check.require(ok, "name", `must have 1 to ${LIMITS.nameLength} characters, without white space around them.`);
  check.require(actor !== "SYSTEM", "actor", "must be USER or MACHINE.");
}
