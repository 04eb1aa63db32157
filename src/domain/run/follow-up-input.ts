import type { MetadataEntry } from "../kit/metadata-entry.ts";
/** The input of a run that is made from another run. A `null` field is taken from that run, if it has one. */
export interface FollowUpInput {
  runId: string;
  message: string | null;
  metadata: readonly MetadataEntry[] | null;
  priority: number | null;
  idempotencyKey: string | null;
}
