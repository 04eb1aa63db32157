/** Changes of resources that something else than Holdpoint's runs made, as a plan finds them. */
import type { Json } from "./json.ts";

export const DRIFT_ACTIONS = ["UPDATE", "DELETE"] as const;
export type DriftAction = (typeof DRIFT_ACTIONS)[number];

/** One resource that differs from the state of the last apply. */
export interface ResourceDrift {
  address: string;
  type: string;
  /** UPDATE: something changed it. DELETE: it is gone. */
  action: DriftAction;
  /** Paths of attributes that differ, such as `tags.Name` or `disks[0].size`; at most `DRIFT_PATHS`. Empty: all of it. */
  paths: string[];
  /** Whether the configuration depends on what differs, as the engine reports. */
  relevant: boolean;
  /** As the state has it. Sensitive values are `null` and named in `sensitivePaths`. */
  before: Json;
  /** As it was found; `null` if it is gone. */
  after: Json;
  sensitivePaths: string[];
}

/** Paths of one resource that are listed. With more, those above them are. */
export const DRIFT_PATHS = 100;
