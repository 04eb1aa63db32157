/** Commands about one's own passkeys, and those of people whom one may manage. */
import { idKind } from "../../model/kit/id.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import type { Passkey } from "../../model/people/passkey.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listSignInMethods } from "../../persistence/people/identity-store.ts";
import { findPasskeys, lockPasskeys, removePasskey, renamePasskeyRow } from "../../persistence/people/passkey-store.ts";
import { requireOwnCredentials } from "../token/own-rights.ts";
import { command, requireSomewhere } from "../access/command.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

const demand = { permission: "MEMBER_WRITE", words: "changing passkeys of others" } as const;

function onPasskey(caller: ActorCaller, passkeyId: string) {
  return {
    ...demand,
    subjectId: passkeyId,
    noun: "passkey",
    find: async (tx: Transaction) => {
      const [passkey = null] = idKind(passkeyId) === "passkey" ? await findPasskeys(tx, [passkeyId]) : [];
      // The same answer for a passkey of another and for one that does not exist.
      if (passkey?.actorId !== caller.actor.id) requireSomewhere(caller, demand);
      return passkey;
    },
    placeOf: () => INSTALLATION,
    isOwn: ({ actorId }: Passkey) => actorId === caller.actor.id,
    sight: "MEMBER_WRITE",
  } as const;
}

function renamePasskey(deps: Deps, caller: ActorCaller, input: { passkeyId: string; name: string }): Promise<Passkey> {
  const { passkeyId, name } = input;
  const check = (issues: InputCheck): void => issues.label("name", name);
  const spec = { ...onPasskey(caller, passkeyId), name: "renamePasskey", check };
  return command(deps, caller, spec, async (tx, passkey) => {
    if (passkey.actorId === caller.actor.id) await requireOwnCredentials(tx, deps, caller, "rename passkeys");
    await renamePasskeyRow(tx, passkeyId, name);
    return { ...passkey, name };
  });
}

/**
 * Deletes a passkey. Sessions that were opened with it stay; `revokeSessions` ends them. People keep one for themselves:
 * without any they could not sign in again.
 */
function deletePasskey(deps: Deps, caller: ActorCaller, input: { passkeyId: string }): Promise<string> {
  const { passkeyId } = input;
  const spec = { ...onPasskey(caller, passkeyId), name: "deletePasskey", presence: "ALWAYS" } as const;
  return command(deps, caller, spec, async (tx, { actorId }) => {
    const isOwn = actorId === caller.actor.id;
    if (isOwn) await requireOwnCredentials(tx, deps, caller, "delete passkeys");
    // Two deletions at the same time would each see the passkey that the other one deletes.
    await lockPasskeys(tx, actorId);
    if (!(await removePasskey(tx, passkeyId))) throw notFound("passkey");
    if (isOwn && (await listSignInMethods(tx, actorId)).length === 0) {
      throw invalidField("passkeyId", "is your only way to sign in. Make another passkey first.");
    }
    return passkeyId;
  });
}

/** The commands about passkeys, by name. */
export const PASSKEY_COMMANDS = {
  deletePasskey: {
    run: deletePasskey,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
  renamePasskey: { run: renamePasskey, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
