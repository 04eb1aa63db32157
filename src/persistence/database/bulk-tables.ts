/** Rows of operations on many runs; see tables.ts. */
import type { Generated } from "kysely";

type Instant = string;

export interface BulkTables {
  bulk_operation: {
    id: string;
    action: string;
    gate: string | null;
    comment: string | null;
    state: string;
    total_count: number;
    done_count: Generated<number>;
    succeeded_count: Generated<number>;
    created_by: string;
    token_id: string;
    idempotency_key: string | null;
    request_digest: string;
    created_at: Instant;
    finished_at: Instant | null;
  };
  bulk_item: {
    operation_id: string;
    position: number;
    run_id: string;
    plan_version: number;
    ok: boolean | null;
    code: string | null;
    message: string | null;
    new_run_id: string | null;
    done_at: Instant | null;
  };
}
