/** The findings of a DETECT hook about a deployment. */
import type { DeployShape } from "../workspace/deploy-shape.ts";

/** SKIPPED: no hook looked, or it did not build. */
export const SCAN_STATUSES = ["PASSED", "FAILED", "SKIPPED"] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

export interface ScanResult {
  /** The result of the build that the hook made. */
  status: ScanStatus;
  /** `null` if it did not state one. */
  shape: DeployShape | null;
  hasStartCommand: boolean | null;
  /** The names of the parts that are deployed, masked. */
  units: string[];
  /** One text for people, masked; `null` if there is none. */
  summary: string | null;
}

/** The scan of a run in which no hook looked. */
export const NO_SCAN: ScanResult = { status: "SKIPPED", shape: null, hasStartCommand: null, units: [], summary: null };
