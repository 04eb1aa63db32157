/** Reads and checks the input of commands about inbound hooks. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { type InboundHook, type InboundMapping, isPointer } from "../../model/schedule/inbound-hook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorize } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";

/** The settings of a hook that a person chooses. */
export type HookSettings = Pick<InboundHook, "name" | "kind" | "workspaceIds" | "mapping">;

/**
 * Checks the settings of a hook, whose owner the caller becomes. Throws `FORBIDDEN` unless the caller may make the runs
 * in all workspaces. `keeps`: the input does not name the workspaces, which are those that the hook has.
 */
export async function checkHook(
  check: InputCheck,
  caller: ActorCaller,
  { name, kind, workspaceIds, mapping }: HookSettings,
  { organizationId, keeps, tx }: { organizationId: string; keeps: boolean; tx: Transaction },
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
  let areThere = true;
  for (const [index] of workspaceIds.entries()) {
    const workspace = found[index] ?? null;
    // One that the caller may not see is as if it were absent.
    const isSeen = workspace !== null && can(caller, "WORKSPACE_READ", workspacePlace(workspace));
    const isThere = isSeen && workspace.organizationId === organizationId;
    areThere &&= isThere;
    check.require(isThere || keeps, `workspaceIds.${index}`, "is no workspace of the organization.");
    if (isThere) {
      authorize(caller, { permission: permissionToRun(kind), words: "making such runs" }, workspacePlace(workspace));
    }
  }
  // Once, however many they are: the caller does not learn their number.
  const unseen = "must be given: a workspace of the hook is gone, or you may not read it.";
  check.require(areThere || !keeps, "workspaceIds", unseen);
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
