import type { Gate } from "../../model/approval/approval.ts";
import type { BulkAction, BulkOperation, BulkResult } from "../../model/bulk/bulk.ts";
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { RunSelection } from "../../persistence/run/run-list-store.ts";

export interface BulkRunActionInput {
  filter: RunSelection;
  action: BulkAction;
  /** With APPROVE. */
  gate: Gate | null;
  comment: string | null;
  idempotencyKey: string | null;
}

/** One's own; those of everybody for admins, by id. */
export interface BulkQueries {
  bulkOperations(caller: TokenCaller, ids: readonly string[]): Promise<(BulkOperation | null)[]>;
  /** One's own, newest first; positions are ids. */
  listBulkOperations(caller: TokenCaller, page: PageRequest<string>): Promise<Page<BulkOperation>>;
  /** In the order of their turns; positions are theirs. */
  listBulkResults(caller: TokenCaller, operation: BulkOperation, page: PageRequest<number>): Promise<Page<BulkResult>>;
}
