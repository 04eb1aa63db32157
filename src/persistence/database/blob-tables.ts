/** Rows of what is too large for a row, and of how long it is kept; see tables.ts. */
import type { Generated } from "kysely";

type Instant = string;

export interface BlobTables {
  blob: {
    id: string;
    kind: string;
    workspace_id: string | null;
    digest: string;
    size: number;
    created_at: Instant;
    store: Generated<string>;
  };
  blob_piece: { blob_id: string; position: number; body: Buffer };
  /** Objects that are put or removed right now, or that somebody died over. */
  stray_object: { blob_id: string; due_at: Instant; removing_at: Instant | null };
  upload: { id: string; blob_id: string; digest: string; size: number; created_by: string; created_at: Instant };
  /** The last run, in the order of their ends, of which this was removed. */
  retention_mark: { organization_id: string; kind: string; finished_at: Instant; run_id: string };
}
