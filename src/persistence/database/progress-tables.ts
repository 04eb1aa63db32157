/** Rows of the progress of runs; see tables.ts. */
import type { JSONColumnType } from "kysely";
import type { ResourceAtWork } from "../../model/run/run-progress.ts";

type Instant = string;

export interface ProgressTables {
  run_progress: {
    run_id: string;
    phase: string;
    job_id: string;
    sequence: number;
    total: number | null;
    done: number;
    failed: number;
    current: JSONColumnType<ResourceAtWork[]>;
    current_count: number;
    updated_at: Instant;
    told_at: Instant;
  };
}
