import type { Gate } from "../../model/approval/approval.ts";
import type { BulkAction } from "../../model/bulk/bulk.ts";
import type { RunFilter } from "../kit/run-filter.ts";

export interface BulkRunActionInput {
  filter: RunFilter;
  action: BulkAction;
  /** For the action APPROVE. */
  gate: Gate | null;
  comment: string | null;
  idempotencyKey: string | null;
}
