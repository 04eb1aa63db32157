/** Commands about inbound hooks. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { markInboundHookDeleted, replaceInboundSecret } from "../../persistence/schedule/inbound-hook-store.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import { newWebhookSecret } from "../webhook/signature.ts";
import { createInboundHook } from "./create-inbound-hook.ts";
import { commandHook, type HookWithSecret } from "./inbound-hook-command.ts";
import { updateInboundHook } from "./update-inbound-hook.ts";

/** Deletes a hook. Its runs stay. */
function deleteInboundHook(deps: Deps, caller: ActorCaller, { hookId }: { hookId: string }): Promise<string> {
  return commandHook(deps, caller, { name: "deleteInboundHook", hookId }, async (tx) => {
    await markInboundHookDeleted(tx, hookId, deps.clock().toISOString());
    return hookId;
  });
}

export interface RotateInboundHookSecretInput {
  hookId: string;
  /** Ends the former secret at once; otherwise both are good for a day. */
  revokeNow: boolean;
}

/** Replaces the secret of a hook. */
function rotateInboundHookSecret(
  deps: Deps,
  caller: ActorCaller,
  { hookId, revokeNow }: RotateInboundHookSecretInput,
): Promise<HookWithSecret> {
  return commandHook(deps, caller, { name: "rotateInboundHookSecret", hookId }, async (tx, hook) => {
    const secret = newWebhookSecret(deps.randomBytes);
    const until = new Date(deps.clock().getTime() + LIMITS.webhookFormerSecretMs).toISOString();
    await replaceInboundSecret(tx, deps.cipher, hookId, { secret, formerUntil: revokeNow ? null : until });
    return { hook, secret };
  });
}

/** The commands about inbound hooks, by name. */
export const INBOUND_HOOK_COMMANDS = {
  createInboundHook: { run: createInboundHook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  deleteInboundHook: { run: deleteInboundHook, errors: ["NOT_FOUND", "FORBIDDEN"] },
  rotateInboundHookSecret: { run: rotateInboundHookSecret, errors: ["NOT_FOUND", "FORBIDDEN"] },
  updateInboundHook: { run: updateInboundHook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
