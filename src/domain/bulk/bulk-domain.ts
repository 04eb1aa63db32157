import type { Gate } from "../../model/approval/approval.ts";
import type { BulkAction } from "../../model/bulk/bulk.ts";
import type { RunSelection } from "../../persistence/run/run-list-store.ts";

export interface BulkRunActionInput {
  filter: RunSelection;
  action: BulkAction;
  /** For the action APPROVE. */
  gate: Gate | null;
  comment: string | null;
  idempotencyKey: string | null;
}
