/** Reads what a plan states about a change beside its values. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { ChangeReason } from "../../model/plan/change-reason.ts";
import { REPLACE_PATHS, type ResourceChange } from "../../model/plan/plan.ts";
import type { Masker } from "../mask/masker.ts";
import { attributePath } from "./attribute-path.ts";
import type { JsonResourceChange } from "./plan-json.ts";

/** By the engine's word. Engines know more than these, and may add some. */
const REASONS: Readonly<Record<string, ChangeReason>> = {
  replace_because_tainted: "REPLACE_TAINTED",
  replace_by_request: "REPLACE_BY_REQUEST",
  replace_because_cannot_update: "REPLACE_CANNOT_UPDATE",
  replace_by_triggers: "REPLACE_BY_TRIGGERS",
  delete_because_no_resource_config: "DELETE_NO_CONFIG",
  delete_because_count_index: "DELETE_COUNT_INDEX",
  delete_because_each_key: "DELETE_EACH_KEY",
  delete_because_no_module: "DELETE_NO_MODULE",
  read_because_config_unknown: "READ_UNKNOWN",
  read_because_dependency_pending: "READ_DEPENDENCY",
};

export type ChangeFacts = Pick<
  ResourceChange,
  "replacePaths" | "reason" | "provider" | "index" | "deposed" | "importId"
>;

/** Gives the facts of a change, with declared secrets masked as they are in its address and its paths. */
export function changeFacts(resource: JsonResourceChange, masker: Masker): ChangeFacts {
  const { change, action_reason: reason, provider_name: provider, index, deposed } = resource;
  const { importing, replace_paths: paths = [] } = change;
  const importId = isRecord(importing) ? importing["id"] : undefined;
  const replacePaths = [...new Set(paths.map((steps) => masker.maskName(attributePath(steps))))];
  return {
    replacePaths: replacePaths.slice(0, REPLACE_PATHS),
    reason: reason === undefined ? null : own(REASONS, reason),
    provider: provider ?? null,
    index: index === undefined ? null : masker.maskName(String(index)),
    deposed: deposed ?? null,
    importId: typeof importId === "string" && importId !== "" ? masker.mask(importId) : null,
  };
}

function own(reasons: typeof REASONS, word: string): ChangeReason {
  return (Object.hasOwn(reasons, word) ? reasons[word] : undefined) ?? "OTHER";
}
