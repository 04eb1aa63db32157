import type { ActorKind } from "../../model/people/actor.ts";
import type { TokenRole } from "../../model/people/role.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Token } from "../../model/people/token.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { insertActor } from "../../persistence/people/actor-store.ts";
import { violates } from "../../persistence/database/database.ts";
import { insertGrant, onInstallation } from "../../persistence/people/grant-store.ts";
import { insertToken } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandInSteps, ON_INSTALLATION } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { hashSecret, newSecret } from "./secret.ts";

/** A token that is limited by its role alone. */
const UNLIMITED = { permissions: null, scopeIds: null } as const;

export interface CreateTokenInput {
  name: string;
  actor: ActorKind;
  role: TokenRole;
  expiresAt: string | null;
}

/**
 * Creates a token and a new actor for it; the secret is returned only here.
 *
 * The actor is never reused. Otherwise an administrator could create a token with the name of a revoked one and approve
 * as that person.
 */
export function createToken(
  deps: Deps,
  caller: ActorCaller,
  input: CreateTokenInput,
): Promise<{ token: Token; secret: string }> {
  const { name, role, expiresAt } = input;
  const at = deps.clock().toISOString();
  const spec = {
    ...ON_INSTALLATION,
    name: "createToken",
    subjectId: name,
    sight: "TOKEN_WRITE",
    permission: "TOKEN_WRITE",
    words: "creating tokens",
    check: (check: InputCheck) => checkInput(check, input, at),
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
        const made = {
          ...UNLIMITED,
          id,
          name,
          role,
          actor,
          createdAt: at,
          lastUsedAt: null,
          expiresAt,
          revokedAt: null,
        };
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

function checkInput(check: InputCheck, { name, actor, expiresAt }: CreateTokenInput, at: string): void {
  const ok = name.trim() === name && name.length > 0 && name.length <= LIMITS.nameLength && !/\p{Cc}/u.test(name);
  check.require(ok, "name", `must have 1 to ${LIMITS.nameLength} characters, without white space around them.`);
  check.require(actor !== "SYSTEM", "actor", "must be USER or MACHINE.");
  check.require(expiresAt === null || expiresAt > at, "expiresAt", "must be in the future.");
}
