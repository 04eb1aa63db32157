/** Rows of feeds; see tables.ts. */
import type { Generated } from "kysely";

export interface FeedTables {
  feed_head: {
    organization_id: string;
    epoch: Generated<string>;
    position: Generated<number>;
    settled_before: Generated<string>;
  };
  feed_entry: {
    organization_id: string;
    position: number;
    workspace_id: string;
    run_id: string | null;
    version: number | null;
    workspace_event_id: number | null;
  };
  feed_pending: {
    organization_id: string;
    id: Generated<number>;
    workspace_id: string;
    run_id: string | null;
    version: number | null;
    workspace_event_id: number | null;
    transaction_id: Generated<string>;
  };
}
