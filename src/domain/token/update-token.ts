import { notFound, UserError } from "../../model/kit/user-error.ts";
import { covers, type Permission, permissionSet } from "../../model/people/permission-set.ts";
import { type ActorCaller, tokenIdOf } from "../../model/people/permission.ts";
import { isLive, type Token } from "../../model/people/token.ts";
import { violates, type Transaction } from "../../persistence/database/database.ts";
import { putToken, type TokenOfOwner } from "../../persistence/people/token-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkNetworks } from "./networks.ts";
import { requireOwnCredentials } from "./own-rights.ts";
import { checkScopes } from "./token-scopes.ts";
import { onToken, refuseAdminToken } from "./token-command.ts";

/** Fields that are `null` stay as they are. */
export interface UpdateTokenInput {
  tokenId: string;
  name: string | null;
  permissions: readonly Permission[] | null;
  scopeIds: readonly string[] | null;
  networks: readonly string[] | null;
  expiresAt: string | null;
}

/** Renames a token, or reduces what it may do: to less permissions, scopes and networks, or to an earlier end. */
export function updateToken(deps: Deps, caller: ActorCaller, input: UpdateTokenInput): Promise<Token> {
  const { tokenId } = input;
  const at = deps.clock().toISOString();
  let networks: readonly string[] = [];
  const spec = {
    ...onToken(caller, "updateToken", tokenId, "changing tokens of machine users"),
    check: async (check: InputCheck, { token }: TokenOfOwner, tx: Transaction) => {
      if (input.name !== null) check.label("name", input.name);
      const { expiresAt } = input;
      check.require(expiresAt === null || expiresAt > at, "expiresAt", "must be in the future.");
      const isEarlier = expiresAt === null || token.expiresAt === null || expiresAt <= token.expiresAt;
      check.require(isEarlier, "expiresAt", `must not be after ${token.expiresAt}. Rotate the token for a later end.`);
      checkPermissions(check, token, input.permissions);
      await checkScopes(check, tx, caller, input.scopeIds);
      checkLess(check, token, input.scopeIds);
      const within = token.networks.length > 0 ? token.networks : undefined;
      networks = checkNetworks(check, input.networks, within, "the token");
    },
  };
  return command(deps, caller, spec, async (tx, { token }) => {
    refuseAdminToken(tokenId, "changed");
    const isOther = token.actor.id === caller.actor.id && tokenIdOf(caller) !== tokenId;
    if (isOther) await requireOwnCredentials(tx, deps, caller, "change other tokens");
    if (!isLive(token, at)) throw notFound("token");
    const changed = {
      ...token,
      name: input.name ?? token.name,
      permissions: input.permissions === null ? token.permissions : permissionSet(input.permissions),
      scopeIds: input.scopeIds ?? token.scopeIds,
      networks,
      expiresAt: input.expiresAt ?? token.expiresAt,
    };
    await putToken(tx, changed).catch((error: unknown) => {
      if (!violates(error, "token_live_name") && !violates(error, "token_live_name_of_actor")) throw error;
      throw new UserError("NAME_TAKEN", `A token "${changed.name}" already exists. Revoke it, or choose another name.`);
    });
    // Its connections and those of its sessions are checked, and closed if they could do more.
    tx.announce(`token:${tokenId}`);
    return changed;
  });
}

function checkPermissions(check: InputCheck, token: Token, permissions: readonly Permission[] | null): void {
  if (permissions === null) return;
  check.require(permissions.length > 0, "permissions", "must have at least one, or be absent.");
  for (const [index, permission] of permissions.entries()) {
    const isHeld = token.permissions === null || covers(token.permissions, permissionSet([permission]));
    check.require(isHeld, `permissions.${index}`, "must be one that the token has.");
  }
}

/** A part of a scope is no smaller scope here: it may be moved out of it later. */
function checkLess(check: InputCheck, token: Token, scopeIds: readonly string[] | null): void {
  if (scopeIds === null || token.scopeIds === null) return;
  for (const [index, id] of scopeIds.entries()) {
    check.require(token.scopeIds.includes(id), `scopeIds.${index}`, "must be one that the token has.");
  }
}
