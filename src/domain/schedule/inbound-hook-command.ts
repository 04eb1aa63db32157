/** The template of commands about an inbound hook. */
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { InboundHook } from "../../model/schedule/inbound-hook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockInboundHook } from "../../persistence/schedule/inbound-hook-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

/** A hook with its secret, which is returned only when it is made. */
export interface HookWithSecret {
  hook: InboundHook;
  secret: string;
}

/** The permission that commands about hooks take. */
export const HOOK_PERMISSION = { permission: "WEBHOOK_WRITE", words: "working with inbound hooks" } as const;

interface HookCommandSpec {
  name: string;
  hookId: string;
  check?: (input: InputCheck, hook: InboundHook, tx: Transaction) => Promise<void>;
}

/** Runs a command about a hook, under the lock of its row. */
export function commandHook<T>(
  deps: Deps,
  caller: ActorCaller,
  { hookId, ...named }: HookCommandSpec,
  work: (tx: Transaction, hook: InboundHook) => Promise<T>,
): Promise<T> {
  const spec = {
    ...HOOK_PERMISSION,
    ...named,
    subjectId: hookId,
    noun: "inbound hook",
    find: async (tx: Transaction) => (idKind(hookId) === "inboundHook" ? lockInboundHook(tx, hookId) : null),
    placeOf: ({ organizationId }: InboundHook) => organizationPlace({ id: organizationId }),
    sight: "WEBHOOK_WRITE",
  } as const;
  return command(deps, caller, spec, work);
}
