import type { MetadataEntry } from "../kit/metadata-entry.ts";
/** A new run that is made of another one; null: as that one says, where that says anything. */
export interface FollowUpInput {
  runId: string;
  message: string | null;
  metadata: readonly MetadataEntry[] | null;
  priority: number | null;
  idempotencyKey: string | null;
}
