import type { ActiveRollbackMode } from "../workspace/rollback-settings.ts";
import type { SourceRisk } from "./rollback-risk.ts";

/**
 * The cause of a run that neither a person nor a machine user requested. Each kind has a type of its own here, a member of
 * the union, and a file in `graphql/changeset` that shows it.
 */
export type RunCause =
  | DependencyCause
  | DriftCause
  | ExpiryCause
  | InboundHookCause
  | PromotionCause
  | PushCause
  | RollbackCause
  | ScheduleCause;

/** A workspace upstream was applied. */
export interface DependencyCause {
  type: "DEPENDENCY";
  /** The run that was applied. */
  upstreamRunId: string;
  /** The names of the referenced outputs whose values are others than before. */
  changedOutputs: readonly string[];
}

/** A check found drift, and the workspace wants it undone. */
export interface DriftCause {
  type: "DRIFT";
  /** The report of the check. */
  reportId: string;
}

/** A branch was pushed to, or a tag is new. */
export interface PushCause {
  type: "PUSH";
  refChangeId: string;
  ref: string;
  commit: string;
}

/** A commit was promoted to the stage of the workspace. */
export interface PromotionCause {
  type: "PROMOTION";
  /** The changeset of the stage before. */
  changesetId: string;
  pipelineId: string;
  stage: string;
  /** The commit that the stage before has applied of the workspace's repository. */
  commit: string;
}

/** A schedule was due. */
export interface ScheduleCause {
  type: "SCHEDULE";
  scheduleId: string;
  dueAt: string;
}

/** The workspace has expired. */
export interface ExpiryCause {
  type: "EXPIRY";
  expiresAt: string;
  /** The actor that set it, who counts as the one that requested the run. */
  setById: string;
}

/** The result of an apply did not pass its verification. The run that failed is the origin. */
export interface RollbackCause {
  type: "ROLLBACK";
  mode: ActiveRollbackMode;
  /** The run to whose configuration it goes back. */
  toRunId: string;
  risks: SourceRisk[];
}

/** Another system made a delivery to an inbound hook. */
export interface InboundHookCause {
  type: "INBOUND_HOOK";
  hookId: string;
  deliveryId: string;
  /** The metadata of its run. */
  metadata: Readonly<Record<string, string>>;
}
