import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertInboundHook, listInboundHooks } from "../../persistence/schedule/inbound-hook-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { newWebhookSecret } from "../webhook/signature.ts";
import { HOOK_PERMISSION, type HookWithSecret } from "./inbound-hook-command.ts";
import { checkHook, type HookSettings } from "./inbound-hook-input.ts";

export interface CreateInboundHookInput extends HookSettings {
  organizationId: string;
}

/**
 * Creates a hook of fixed workspaces. The caller becomes its owner, and must be allowed to make its runs in all of them.
 */
export function createInboundHook(
  deps: Deps,
  caller: ActorCaller,
  input: CreateInboundHookInput,
): Promise<HookWithSecret> {
  const { organizationId, name, kind, workspaceIds, mapping } = input;
  const spec = {
    ...HOOK_PERMISSION,
    name: "createInboundHook",
    subjectId: organizationId,
    noun: "organization",
    find: (tx: Transaction) => lookUpOrganization(tx, organizationId),
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    check: (check: InputCheck, organization: Organization, tx: Transaction) =>
      checkHook(check, caller, input, { organizationId: organization.id, keeps: false, tx }),
  } as const;
  return command(deps, caller, spec, async (tx) => {
    await requireLastingCredential(deps, caller, "create inbound hooks");
    const [others = []] = await listInboundHooks(tx, [organizationId]);
    const most = LIMITS.inboundHooksPerOrganization;
    if (others.length >= most) {
      throw invalidField("organizationId", `has ${most} inbound hooks, which is the limit. Delete one first.`);
    }
    const secret = newWebhookSecret(deps.randomBytes);
    const facts = { organizationId, name, kind, workspaceIds, mapping, ownerId: caller.actor.id };
    const createdAt = deps.clock().toISOString();
    const hook = { ...facts, id: deps.newId("inboundHook"), createdAt, lastAt: null, lastProblem: null };
    await insertInboundHook(tx, deps.cipher, hook, secret);
    return { hook, secret };
  });
}
