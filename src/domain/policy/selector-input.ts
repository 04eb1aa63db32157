/** Checks selectors of workspaces. */
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { PolicySelector } from "../../model/policy/policy-set.ts";
import { JUDGED_KINDS } from "../../model/policy/policy-source.ts";
import { isLabel, LABEL_WORDS } from "../../model/workspace/label.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import type { InputCheck } from "../kit/input.ts";

const ID_LISTS = ["workspaceIds", "excludedWorkspaceIds"] as const;
const NO_WORKSPACE = "must be the id of a workspace of the organization that you may read.";

/** Checks what can be checked without reading; `path` names the field. */
export function checkSelector(check: InputCheck, path: string, selector: PolicySelector): void {
  const { labels, names, kinds } = selector;
  if (atMost(check, `${path}.labels`, labels, LIMITS.labelsPerWorkspace)) {
    for (const [index, label] of labels.entries()) {
      check.require(isLabel(label), `${path}.labels.${index}`, `${LABEL_WORDS}.`);
    }
  }
  if (atMost(check, `${path}.names`, names, LIMITS.selectorNames)) {
    for (const [index, name] of names.entries()) {
      const words = `must have 1 to ${LIMITS.nameLength} small letters, digits, "-", "_", ".", "*" and "?".`;
      const fits = /^[a-z0-9_.*?-]+$/.test(name) && name.length <= LIMITS.nameLength;
      check.require(fits, `${path}.names.${index}`, words);
    }
  }
  // A TASK has no plan: policies judge it before it is created, and checks before it is performed.
  const judged: readonly string[] = [...JUDGED_KINDS, "TASK"];
  for (const [index, kind] of (kinds ?? []).entries()) {
    check.require(judged.includes(kind), `${path}.kinds.${index}`, `must be one of ${judged.join(", ")}.`);
  }
  check.require(kinds === null || kinds.length > 0, `${path}.kinds`, "must name at least one kind, or be absent.");
  for (const field of ID_LISTS) atMost(check, `${path}.${field}`, selector[field], LIMITS.selectorIds);
}

function atMost(check: InputCheck, path: string, list: readonly unknown[], most: number): boolean {
  check.require(list.length <= most, path, `must have at most ${most} entries.`);
  return list.length <= most;
}

/** The organization of a selector, and the selector that it replaces; `null` for a new one. */
interface SelectorContext {
  caller: ActorCaller;
  organizationId: string;
  before: PolicySelector | null;
}

/** Checks that the named workspaces exist there and that the caller may read them. Ids of `before` stay valid. */
export async function checkSelectedWorkspaces(
  reader: Reader,
  check: InputCheck,
  { path, selector }: { path: string; selector: PolicySelector },
  { caller, organizationId, before }: SelectorContext,
): Promise<void> {
  const known = new Set(ID_LISTS.flatMap((field) => before?.[field] ?? []));
  const asked = [...new Set(ID_LISTS.flatMap((field) => selector[field]))].filter((id) => !known.has(id));
  if (asked.length === 0) return;
  for (const workspace of await findWorkspaces(reader, asked)) {
    if (workspace?.organizationId !== organizationId) continue;
    if (can(caller, "WORKSPACE_READ", workspacePlace(workspace))) known.add(workspace.id);
  }
  for (const field of ID_LISTS) {
    for (const [index, id] of selector[field].entries()) {
      check.require(known.has(id), `${path}.${field}.${index}`, NO_WORKSPACE);
    }
  }
}

/** Returns a selector without what an input type may carry besides. */
export function storedSelector({ labels, names, kinds, ...ids }: PolicySelector): PolicySelector {
  const { workspaceIds, excludedWorkspaceIds } = ids;
  return { labels, names, kinds, workspaceIds, excludedWorkspaceIds };
}
