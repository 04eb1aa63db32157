/** Rows of states and of whoever uses them; see tables.ts. */
import type { Generated, JSONColumnType } from "kysely";
import type { Output } from "../../model/workspace/workspace.ts";

type Instant = string;

export interface StateTables {
  state_version: {
    id: string;
    workspace_id: string;
    serial: number;
    lineage: string;
    run_id: string | null;
    job_id: string | null;
    imported_by: string | null;
    blob_id: string;
    outputs: JSONColumnType<Output[]>;
    resource_count: number | null;
    created_at: Instant;
  };
  /** Of a job, or of a person. */
  state_lock: {
    workspace_id: string;
    lock_id: string;
    info: JSONColumnType<Record<string, string>>;
    run_id: string | null;
    job_id: string | null;
    actor_id: string | null;
    created_at: Instant;
  };
  state_rollback: { run_id: string; state_version_id: string; state_serial: number };
  state_reading: { id: Generated<number>; state_version_id: string; actor_id: string; way: string; at: Instant };
}
