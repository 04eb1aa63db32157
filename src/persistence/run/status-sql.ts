import { type RawBuilder, sql } from "kysely";
import {
  CHANGING_STATUSES,
  CLAIMABLE_STATUSES,
  GATE_STATUSES,
  RUN_STATUSES,
  type RunStatus,
  STATUS_OF,
  STATUS_TRAITS,
} from "../../model/lifecycle/run-status.ts";

/** Statuses as SQL literals, which partial indexes need: Postgres does not match them with parameters. */
export const STATUS_SQL = {
  queued: sql.lit(STATUS_OF.creation),
  admitted: sql.lit(STATUS_OF.admission),
  approved: sql.lit(STATUS_OF.approval),
  claimable: list(CLAIMABLE_STATUSES),
  /** Claimable after a gate, where the workspace may have been let go. */
  afterGate: list([STATUS_OF.replan, STATUS_OF.approval]),
  atGate: list(GATE_STATUSES),
  changing: list(CHANGING_STATUSES),
  /** Ended without success: badly, or stopped while a runner had it. */
  failed: list(endedBy("BADLY", "STOPPED")),
  unwanted: list(endedBy("UNWANTED")),
} as const;

function endedBy(...ends: string[]): RunStatus[] {
  return RUN_STATUSES.filter((status) => ends.includes(STATUS_TRAITS[status].end ?? ""));
}

function list(statuses: readonly RunStatus[]): RawBuilder<unknown> {
  return sql.join(statuses.map((status) => sql.lit(status)));
}
