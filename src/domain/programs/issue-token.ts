import { LIMITS } from "../../model/kit/limits.ts";
import type { Actor } from "../../model/people/actor.ts";
import { type Permission, permissionSet } from "../../model/people/permission-set.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertToken } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret, newSecret } from "../token/secret.ts";
import { NEW_TOKEN } from "../token/token-end.ts";

/** A token that a program got. Its secret is stored nowhere. */
export interface IssuedToken {
  tokenId: string;
  secret: string;
  permissions: readonly Permission[] | null;
  /** Its life in seconds. */
  seconds: number;
}

/** A token to issue. `name`: that of the program, which got it; the end of the id is added, which makes it unique. */
interface NewToken {
  actor: Actor;
  name: string;
  /** `null`: all that the owner has. */
  permissions: readonly Permission[] | null;
  seconds: number;
}

const ID_DIGITS = 6;

/** Issues a token of an actor. It is one like any other: listed, revoked, and refused once its owner is disabled. */
export async function issueToken(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "randomBytes">,
  { actor, name, permissions, seconds }: NewToken,
  at: Date,
): Promise<IssuedToken> {
  const id = deps.newId("token");
  const secret = newSecret(deps.randomBytes);
  const mark = ` (${id.slice(-ID_DIGITS)})`;
  const token = {
    ...NEW_TOKEN,
    id,
    name:
      name
        .replaceAll(/\p{Cc}/gu, "")
        .slice(0, LIMITS.nameLength - mark.length)
        .toWellFormed() + mark,
    actor,
    role: null,
    permissions: permissions === null ? null : permissionSet(permissions),
    scopeIds: null,
    createdAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + seconds * 1000).toISOString(),
    networks: [],
  };
  await insertToken(tx, token, hashSecret(secret));
  return { tokenId: id, secret, permissions, seconds };
}
