import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { selectLabelledWorkspaces } from "../../persistence/workspace/label-store.ts";
import { InputCheck } from "../kit/input.ts";
import { checkLabelSelector } from "./label-input.ts";

/** Workspaces of one organization that have all of these labels. */
export interface LabelSelector {
  organizationId: string;
  labels: readonly string[];
}

/**
 * Returns the ids of the workspaces that match, by name, of those in which the caller holds the permission. Throws
 * INVALID_INPUT, naming `field`, for labels that none can have and where too many workspaces match.
 */
export async function selectWorkspaces(
  reader: Reader,
  caller: ActorCaller,
  permission: Permission,
  { organizationId, labels }: LabelSelector,
  field = "labels",
): Promise<string[]> {
  const check = new InputCheck();
  check.require(labels.length > 0, field, "must have at least one label.");
  checkLabelSelector(check, field, labels);
  check.done();
  const most = LIMITS.workspacesSelected;
  const ids = await selectLabelledWorkspaces(reader, scopeOf(caller, permission), organizationId, labels, most + 1);
  if (ids.length > most) throw invalidField(field, `matches more than ${most} workspaces: narrow it.`);
  return ids;
}
