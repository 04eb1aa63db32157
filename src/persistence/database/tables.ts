/** Rows as Postgres gives them: instants as RFC 3339 text, bigint as number. Nothing above this layer sees them. */
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Failure } from "../../model/lifecycle/failure.ts";
import type { Hook } from "../../model/workspace/hook.ts";
import type { Json, OutputChange } from "../../model/plan/plan.ts";
import type { ApprovalRule, FreezeWindow, RunLimits } from "../../model/approval/run-rules.ts";
import type { WorkspaceSource } from "../../model/workspace/workspace.ts";
import type { BlobTables } from "./blob-tables.ts";
import type { BulkTables } from "./bulk-tables.ts";
import type { FeedTables } from "./feed-tables.ts";
import type { LateTables } from "./late-tables.ts";
import type { LogTables } from "./log-tables.ts";
import type { ProgressTables } from "./progress-tables.ts";
import type { RunnerTables } from "./runner-tables.ts";
import type { StateTables } from "./state-tables.ts";

type Instant = string;
/** jsonb that is there from the start. */
type RulesColumn<T> = ColumnType<T, string | undefined, string>;

export interface Tables
  extends BlobTables,
    BulkTables,
    FeedTables,
    LateTables,
    LogTables,
    RunnerTables,
    StateTables,
    ProgressTables {
  installation: { singleton: Generated<boolean>; key_check: Buffer };
  restoration: { singleton: Generated<boolean>; epoch: string };
  actor: { id: string; kind: string; name: string; created_at: Instant };
  token: {
    id: string;
    name: string;
    actor_id: string;
    role: string;
    secret_hash: Buffer;
    created_at: Instant;
    last_used_at: Instant | null;
    expires_at: Instant | null;
    revoked_at: Instant | null;
  };
  rejected_command: {
    id: Generated<number>;
    at: Instant;
    actor_id: string;
    command: string;
    subject_id: string | null;
    organization_id: string | null;
    workspace_id: string | null;
    sight: string | null;
    code: string;
    message: string;
  };
  organization: {
    id: string;
    slug: string;
    name: string;
    concurrency_limit: Generated<number>;
    log_days: number | null;
    event_days: number | null;
    archive_days: number | null;
    limits: RulesColumn<Partial<RunLimits>>;
    approval_rules: RulesColumn<ApprovalRule[]>;
    freeze_windows: RulesColumn<FreezeWindow[]>;
    alarm_at: Instant | null;
    created_at: Instant;
  };
  workspace: {
    id: string;
    organization_id: string;
    name: string;
    description: string | null;
    source: JSONColumnType<WorkspaceSource>;
    plan_approval: string;
    auto_apply: string;
    paused: Generated<boolean>;
    lock_scope: Generated<string>;
    interrupt_apply: Generated<boolean>;
    tasks_allowed: Generated<boolean>;
    limits: RulesColumn<Partial<RunLimits>>;
    approval_rules: RulesColumn<ApprovalRule[]>;
    freeze_windows: RulesColumn<FreezeWindow[]>;
    hooks: RulesColumn<Hook[]>;
    lock_reason: string | null;
    lock_run_id: string | null;
    lock_actor_id: string | null;
    lock_note: string | null;
    locked_at: Instant | null;
    lock_expires_at: Instant | null;
    runner_pool_id: string | null;
    runner_labels: Generated<string[]>;
    last_run_number: Generated<number>;
    state_serial: Generated<number>;
    state_lineage: string | null;
    created_at: Instant;
    deleted_at: Instant | null;
    runs_hidden: Generated<boolean>;
  };
  variable: {
    workspace_id: string;
    category: string;
    key: string;
    value_sealed: Buffer;
    sensitive: boolean;
    hcl: boolean;
  };
  former_secret: { id: Generated<number>; workspace_id: string; value_sealed: Buffer; hcl: boolean };
  run: {
    id: string;
    organization_id: string;
    workspace_id: string;
    number: number;
    kind: string;
    status: string;
    leg: string;
    outcome: string | null;
    trigger: string;
    created_by: string;
    replanned_by: string | null;
    message: string | null;
    revision: string | null;
    source_blob_id: string | null;
    variables_sealed: Buffer;
    hooks: RulesColumn<Hook[]>;
    targets: string[];
    replace: string[];
    refresh_only: Generated<boolean>;
    command: string | null;
    metadata: ColumnType<Record<string, string>, string | undefined, string>;
    priority: Generated<number>;
    scheduled_at: Instant | null;
    apply_at: Instant | null;
    alarm_at: Instant | null;
    expired_limit: string | null;
    expired_at: Instant | null;
    escalated_at: Instant | null;
    blockers_told: Generated<string>;
    version: number;
    status_version: number;
    plan_version: Generated<number>;
    attempt: Generated<number>;
    cancel_requested_by: string | null;
    cancel_requested_at: Instant | null;
    forced: Generated<boolean>;
    holds_workspace: Generated<boolean>;
    origin_id: string | null;
    plan_run_id: string | null;
    failure: JSONColumnType<Failure> | null;
    reason: string | null;
    created_at: Instant;
    status_at: Instant;
    started_at: Instant | null;
    applying_at: Instant | null;
    applied_at: Instant | null;
    finished_at: Instant | null;
    hidden: Generated<boolean>;
  };
  run_event: {
    run_id: string;
    version: number;
    type: string;
    at: Instant;
    actor_id: string;
    to_status: string | null;
    data: JSONColumnType<Record<string, unknown>>;
  };
  workspace_event: {
    id: Generated<number>;
    workspace_id: string;
    at: Instant;
    actor_id: string;
    fields: string[];
  };
  run_status_change: {
    kind: string;
    from_status: string;
    from_leg: string;
    to_status: string;
    to_leg: string;
    outcome: string;
  };
  idempotency_key: {
    workspace_id: string;
    actor_id: string;
    key: string;
    request_digest: string;
    run_id: string;
    created_at: Instant;
  };
  job: {
    id: string;
    claim_id: string;
    run_id: string;
    organization_id: string;
    workspace_id: string;
    leg: string;
    attempt: number;
    runner_id: string;
    claimed_at: Instant;
    expires_at: Instant;
    ended_at: Instant | null;
    message_sequence: Generated<number>;
    message_digest: string | null;
    archive_blob_id: string | null;
    lease_ms: Generated<number>;
  };
  dispatch: {
    run_id: string;
    organization_id: string;
    workspace_id: string;
    class: number;
    priority: number;
    turn: Generated<number>;
    since: Instant;
    offered: Generated<boolean>;
    pool_id: string | null;
    labels: Generated<string[]>;
    reachable: Generated<boolean>;
  };
  phase: {
    id: string;
    run_id: string;
    kind: string;
    attempt: number;
    status: string;
    runner_id: string | null;
    started_at: Instant | null;
    finished_at: Instant | null;
  };
  plan: {
    id: string;
    run_id: string;
    version: number;
    digest: string;
    engine_name: string;
    engine_version: string;
    has_changes: boolean;
    complete: boolean;
    additions: number;
    changes: number;
    destructions: number;
    replacements: number;
    imports: number;
    moves: number;
    forgets: number;
    state_serial: number;
    targets: string[];
    replace: string[];
    output_changes: JSONColumnType<OutputChange[]>;
    text_zstd: Buffer;
    instances_zstd: Buffer | null;
    archive_blob_id: string | null;
    archive_expired_at: Instant | null;
    created_at: Instant;
  };
  resource_change: {
    plan_id: string;
    position: number;
    address: string;
    type: string;
    name: string;
    module: string | null;
    action: string;
    create_before_destroy: boolean | null;
    previous_address: string | null;
    imported: boolean;
    before: ColumnType<Json, string, string>;
    after: ColumnType<Json, string, string>;
    bytes: Generated<number>;
    sensitive_paths: string[];
    unknown_paths: string[];
  };
  approval: {
    id: string;
    run_id: string;
    gate: string;
    stage: string | null;
    decision: string;
    actor_id: string;
    comment: string | null;
    plan_version: number;
    plan_digest: string;
    apply_at: Instant | null;
    at: Instant;
    position: Generated<number>;
  };
  run_comment: { id: string; run_id: string; actor_id: string; text: string; at: Instant };
  webhook: {
    id: string;
    organization_id: string;
    workspace_id: string | null;
    url: string;
    events: string[];
    secret_sealed: Buffer;
    former_secret_sealed: Buffer | null;
    former_secret_until: Instant | null;
    description: string | null;
    enabled: Generated<boolean>;
    gone_at: Instant | null;
    created_by: string;
    created_at: Instant;
    deleted_at: Instant | null;
  };
  webhook_delivery: {
    id: string;
    webhook_id: string;
    event: string;
    payload: string;
    state: Generated<string>;
    turn: Generated<number>;
    attempt_count: Generated<number>;
    round_began: Generated<number>;
    created_at: Instant;
    next_attempt_at: Instant | null;
    finished_at: Instant | null;
  };
  webhook_attempt: {
    delivery_id: string;
    number: number;
    at: Instant;
    duration_ms: number;
    status_code: number | null;
    error: string | null;
    response: string | null;
  };
}
