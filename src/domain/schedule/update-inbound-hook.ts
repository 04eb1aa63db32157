import type { ActorCaller } from "../../model/people/permission.ts";
import type { InboundHook } from "../../model/schedule/inbound-hook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { updateInboundHookRow } from "../../persistence/schedule/inbound-hook-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { commandHook } from "./inbound-hook-command.ts";
import { checkHook, type HookSettings } from "./inbound-hook-input.ts";

/** Absent fields stay unchanged; none can be cleared. */
export type UpdateInboundHookInput = { hookId: string } & {
  [Field in keyof HookSettings]?: HookSettings[Field] | null | undefined;
};

/**
 * Changes a hook. Its address and its secret stay. The caller becomes its owner, and must be allowed to make its runs in
 * all of its workspaces, also in those that were there before.
 */
export function updateInboundHook(
  deps: Deps,
  caller: ActorCaller,
  input: UpdateInboundHookInput,
): Promise<InboundHook> {
  const spec = {
    name: "updateInboundHook",
    hookId: input.hookId,
    async check(check: InputCheck, before: InboundHook, tx: Transaction) {
      for (const field of ["name", "kind", "workspaceIds", "mapping"] as const) {
        check.require(input[field] !== null, field, "cannot be cleared.");
      }
      const { organizationId } = before;
      const keeps = !Array.isArray(input.workspaceIds);
      await checkHook(check, caller, settingsAfter(before, input), { organizationId, keeps, tx });
    },
  };
  return commandHook(deps, caller, spec, async (tx, before) => {
    await requireLastingCredential(deps, caller, "change inbound hooks");
    const after: InboundHook = { ...before, ...settingsAfter(before, input), ownerId: caller.actor.id };
    await updateInboundHookRow(tx, after);
    return after;
  });
}

function settingsAfter(before: InboundHook, input: UpdateInboundHookInput): HookSettings {
  return {
    name: input.name ?? before.name,
    kind: input.kind ?? before.kind,
    workspaceIds: input.workspaceIds ?? before.workspaceIds,
    mapping: input.mapping ?? before.mapping,
  };
}
