import type { MetadataEntry } from "../kit/metadata-entry.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
export interface CreateRunInput {
  workspaceId: string;
  kind: RunKind;
  message: string | null;
  targets: string[] | null;
  replace: string[] | null;
  refreshOnly: boolean;
  /** For kind APPLY. */
  planRunId: string | null;
  /** For kind TASK. */
  command: string | null;
  metadata: readonly MetadataEntry[] | null;
  priority: number;
  /** The earliest start; `null` for as soon as possible. */
  scheduledAt: string | null;
  idempotencyKey: string | null;
}
