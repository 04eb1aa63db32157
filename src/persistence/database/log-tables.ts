/** Rows of logs; see tables.ts. */
import type { ColumnType, Generated } from "kysely";

type Instant = string;

export interface LogTables {
  log_head: {
    run_id: string;
    last_line: number;
    appended_at: Instant | null;
    expired_at: Instant | null;
    /** Text of all batches, one more for each line. */
    bytes: Generated<number>;
    /** The same by phase and attempt, as `PLAN:1`. */
    phase_bytes: ColumnType<Record<string, number>, string | undefined, string>;
  };
  log_batch: {
    run_id: string;
    last_line: number;
    first_line: number;
    phase: string;
    attempt: number;
    body: Buffer;
    /** Its lines as text, each with its end. */
    bytes: number;
    /** Bits by LOG_STREAMS. */
    streams: number;
  };
  run_mask: { run_id: string; position: number; value_sealed: Buffer; created_at: Instant };
}
