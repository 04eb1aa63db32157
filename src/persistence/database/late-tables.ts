/** Rows of what runners were refused, and of what they sent too late; see tables.ts. */
import type { Generated, JSONColumnType } from "kysely";
import type { Output } from "../../model/workspace/workspace.ts";

type Instant = string;

export interface LateTables {
  refused_count: { job_id: string; run_id: string; count: number };
  refused_request: {
    id: Generated<number>;
    at: Instant;
    organization_id: string;
    workspace_id: string;
    run_id: string;
    job_id: string;
    runner_id: string;
    request: string;
    code: string;
    message: string;
  };
  recovered_state: {
    id: string;
    workspace_id: string;
    run_id: string;
    job_id: string;
    runner_id: string;
    blob_id: string;
    digest: string;
    size: number;
    serial: number;
    lineage: string;
    outputs: JSONColumnType<Output[]>;
    resource_count: number;
    received_at: Instant;
    decision: string | null;
    decided_by: string | null;
    decided_at: Instant | null;
    note: string | null;
  };
}
