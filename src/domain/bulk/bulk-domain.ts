import type { Gate } from "../../model/approval/approval.ts";
import type { BulkAction, BulkOperation, BulkResult } from "../../model/bulk/bulk.ts";
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { RunSelection } from "../../persistence/run/run-list-store.ts";

export interface BulkRunActionInput {
  filter: RunSelection;
  action: BulkAction;
  /** For the action APPROVE. */
  gate: Gate | null;
  comment: string | null;
  idempotencyKey: string | null;
}

/** Reads of bulk operations. A caller sees its own operations; an admin sees every one by its id. */
export interface BulkQueries {
  bulkOperations(caller: TokenCaller, ids: readonly string[]): Promise<(BulkOperation | null)[]>;
  /** Lists the caller's operations, newest first; positions are ids. */
  listBulkOperations(caller: TokenCaller, page: PageRequest<string>): Promise<Page<BulkOperation>>;
  /** Lists the results of an operation in execution order; positions are turns. */
  listBulkResults(caller: TokenCaller, operation: BulkOperation, page: PageRequest<number>): Promise<Page<BulkResult>>;
}
