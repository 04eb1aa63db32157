/** Commands about inbound hooks. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { organizationPlace, workspacePlace } from "../../model/people/place.ts";
import { type InboundHook, type InboundMapping, isPointer } from "../../model/schedule/inbound-hook.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  insertInboundHook,
  listInboundHooks,
  lockInboundHook,
  markInboundHookDeleted,
  replaceInboundSecret,
} from "../../persistence/schedule/inbound-hook-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorize, command } from "../access/command.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { newWebhookSecret } from "../webhook/signature.ts";

export interface CreateInboundHookInput extends Pick<InboundHook, "organizationId" | "name" | "kind"> {
  workspaceIds: readonly string[];
  mapping: readonly InboundMapping[];
}

/** A hook with its secret, which is returned only when it is made. */
export interface HookWithSecret {
  hook: InboundHook;
  secret: string;
}

const PERMISSION = { permission: "WEBHOOK_WRITE", words: "working with inbound hooks" } as const;

/**
 * Creates a hook of fixed workspaces. The caller becomes its owner, and must be allowed to make its runs in all of them.
 */
function createInboundHook(deps: Deps, caller: ActorCaller, input: CreateInboundHookInput): Promise<HookWithSecret> {
  const { organizationId, name, kind, workspaceIds, mapping } = input;
  const spec = {
    ...PERMISSION,
    name: "createInboundHook",
    subjectId: organizationId,
    noun: "organization",
    find: (tx: Transaction) => lookUpOrganization(tx, organizationId),
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    check: (check: InputCheck, organization: Organization, tx: Transaction) =>
      checkInput(check, caller, input, { organization, tx }),
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

async function checkInput(
  check: InputCheck,
  caller: ActorCaller,
  { name, kind, workspaceIds, mapping }: CreateInboundHookInput,
  { organization, tx }: { organization: Organization; tx: Transaction },
): Promise<void> {
  check.label("name", name);
  const most = LIMITS.workspacesPerInboundHook;
  const fits =
    workspaceIds.length > 0 && workspaceIds.length <= most && new Set(workspaceIds).size === workspaceIds.length;
  check.require(fits, "workspaceIds", `must name from 1 to ${most} workspaces, each once.`);
  checkMapping(check, mapping);
  if (!fits) return;
  const known = workspaceIds.filter((id) => idKind(id) === "workspace");
  const found = known.length === workspaceIds.length ? await findWorkspaces(tx, workspaceIds) : [];
  for (const [index] of workspaceIds.entries()) {
    const workspace = found[index] ?? null;
    // One that the caller may not see is as if it were absent.
    const isSeen = workspace !== null && can(caller, "WORKSPACE_READ", workspacePlace(workspace));
    const isThere = isSeen && workspace.organizationId === organization.id;
    check.require(isThere, `workspaceIds.${index}`, "is no workspace of the organization.");
    if (isThere) {
      authorize(caller, { permission: permissionToRun(kind), words: "making such runs" }, workspacePlace(workspace));
    }
  }
}

function checkMapping(check: InputCheck, mapping: readonly InboundMapping[]): void {
  const { metadataEntries, metadataKeyLength, keyLength } = LIMITS;
  check.require(mapping.length <= metadataEntries, "mapping", `must have at most ${metadataEntries} entries.`);
  for (const [index, { key, pointer }] of mapping.slice(0, metadataEntries).entries()) {
    const isFree = mapping.findIndex((other) => other.key === key) === index;
    const isKey = key.trim() !== "" && key.length <= metadataKeyLength && !/\p{Cc}/u.test(key) && key.isWellFormed();
    check.require(
      isKey && isFree,
      `mapping.${index}.key`,
      `must have 1 to ${metadataKeyLength} characters, once each.`,
    );
    const isGood = pointer.length <= keyLength && isPointer(pointer);
    check.require(isGood, `mapping.${index}.pointer`, "must be a JSON pointer, such as /ticket/id.");
  }
}

/** Runs a command about a hook, under the lock of its row. */
function commandHook<T>(
  deps: Deps,
  caller: ActorCaller,
  { name, hookId }: { name: string; hookId: string },
  work: (tx: Transaction, hook: InboundHook) => Promise<T>,
): Promise<T> {
  const spec = {
    ...PERMISSION,
    name,
    subjectId: hookId,
    noun: "inbound hook",
    find: async (tx: Transaction) => (idKind(hookId) === "inboundHook" ? lockInboundHook(tx, hookId) : null),
    placeOf: ({ organizationId }: InboundHook) => organizationPlace({ id: organizationId }),
    sight: "WEBHOOK_WRITE",
  } as const;
  return command(deps, caller, spec, work);
}

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
} as const satisfies Commands;
