/** Rows of runners, their pools, and what lets them in; see tables.ts. */
import type { Generated } from "kysely";

type Instant = string;

export interface RunnerTables {
  runner_pool: {
    id: string;
    organization_id: string;
    name: string;
    description: string | null;
    reserved: boolean;
    created_at: Instant;
    deleted_at: Instant | null;
  };
  runner_token: {
    id: string;
    pool_id: string;
    name: string;
    secret_hash: Buffer;
    created_by: string;
    created_at: Instant;
    expires_at: Instant | null;
    last_used_at: Instant | null;
    revoked_at: Instant | null;
  };
  runner: {
    id: string;
    /** Unique over all pools: see runner-store.ts. */
    key: string;
    pool_id: string | null;
    name: string;
    version: string;
    instance: string;
    labels: Generated<string[]>;
    slots: Generated<number>;
    draining: Generated<boolean>;
    drain_requested_at: Instant | null;
    cycle_instance: string | null;
    revoked_at: Instant | null;
    engine_name: string | null;
    engine_version: string | null;
    last_seen_at: Instant;
    /** When the system last ended a lease that the runner did not renew. */
    lost_at: Instant | null;
  };
}
