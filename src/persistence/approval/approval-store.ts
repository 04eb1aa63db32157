import { STATUS_OF } from "../../model/lifecycle/run-status.ts";
import { sql } from "kysely";
import { APPROVAL_DECISIONS, type Approval, GATES } from "../../model/approval/approval.ts";
import { APPROVER_KINDS } from "../../model/approval/approver.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Placed } from "../../model/people/place.ts";
import { grouped } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";

/**
 * Approvals with whether they count: not those before a replan, only an actor's newest decision at a stage of a gate, and
 * no withdrawal.
 */
function approvals(db: Reader["sql"]) {
  return db
    .selectFrom("approval")
    .selectAll("approval")
    .select((eb) =>
      eb
        .and([
          eb("approval.decision", "<>", "WITHDRAWN"),
          // A replan voids what was approved before it, whether or not it ever comes to a plan.
          eb.not(
            eb.exists(
              eb
                .selectFrom("run_event")
                .select("run_event.version")
                .whereRef("run_event.run_id", "=", "approval.run_id")
                .where("run_event.to_status", "=", STATUS_OF.replan)
                // By the order of events: clocks may be put back, and two servers have two.
                .where("run_event.version", ">", (given) =>
                  given.fn.coalesce(
                    given
                      .selectFrom("run_event as given")
                      .select("given.version")
                      .whereRef("given.run_id", "=", "approval.run_id")
                      .where("given.type", "=", "APPROVAL_RECORDED")
                      .where(sql<string>`given.data ->> 'approvalId'`, "=", given.ref("approval.id")),
                    sql.lit(0),
                  ),
                ),
            ),
          ),
          eb.not(
            eb.exists(
              eb
                .selectFrom("approval as newer")
                .select("newer.id")
                .whereRef("newer.run_id", "=", "approval.run_id")
                .whereRef("newer.gate", "=", "approval.gate")
                .where((newer) =>
                  newer.or([
                    newer("newer.stage", "is not distinct from", newer.ref("approval.stage")),
                    newer("newer.decision", "=", "REJECTED"),
                  ]),
                )
                .whereRef("newer.actor_id", "=", "approval.actor_id")
                .whereRef("newer.position", ">", "approval.position"),
            ),
          ),
        ])
        .as("counts"),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof approvals>["execute"]>>[number];

function toApproval(row: Row): Approval {
  return {
    id: row.id,
    runId: row.run_id,
    gate: word(GATES, row.gate),
    stage: row.stage,
    decision: word(APPROVAL_DECISIONS, row.decision),
    actorId: row.actor_id,
    approverKind: word(APPROVER_KINDS, row.approver_kind),
    countsAs: row.sponsor_id ?? row.actor_id,
    teamIds: row.team_ids,
    present: row.present,
    comment: row.comment,
    planVersion: row.plan_version,
    planDigest: row.plan_digest,
    applyAt: row.apply_at,
    at: row.at,
    counts: Boolean(row.counts),
  };
}

/** The teams of an actor at an instant. */
const teamsOf = (actorId: string, at: string) => sql<string[]>`array(
  select distinct m.team_id from team_member m join team on team.id = m.team_id and team.deleted_at is null
  where m.actor_id = ${actorId} and (m.lapses_at is null or m.lapses_at > ${at}::timestamptz)
  order by m.team_id)`;

/** Returns the teams of the approver, which are stored with the approval. */
export async function insertApproval(
  tx: Transaction,
  approval: Omit<Approval, "counts" | "teamIds">,
): Promise<readonly string[]> {
  const { team_ids: teamIds } = await tx.sql
    .insertInto("approval")
    .values({
      id: approval.id,
      run_id: approval.runId,
      gate: approval.gate,
      stage: approval.stage,
      decision: approval.decision,
      actor_id: approval.actorId,
      approver_kind: approval.approverKind,
      sponsor_id: approval.countsAs === approval.actorId ? null : approval.countsAs,
      team_ids: teamsOf(approval.actorId, approval.at),
      present: approval.present,
      comment: approval.comment,
      plan_version: approval.planVersion,
      plan_digest: approval.planDigest,
      apply_at: approval.applyAt,
      at: approval.at,
    })
    .returning("team_ids")
    .executeTakeFirstOrThrow();
  return teamIds;
}

export async function findApprovals(reader: Reader, ids: readonly string[]): Promise<(Placed<Approval> | null)[]> {
  const rows = await approvals(reader.sql)
    .innerJoin("run", "run.id", "approval.run_id")
    .select(PLACE_OF_RUN)
    .where("approval.id", "in", ids)
    .where(inKeptWorkspace("run.workspace_id"))
    .execute();
  return placedInOrder(ids, rows, toApproval);
}

const approvalsOfRuns = prepared((db, slot: Slot<{ runIds: readonly string[] }>) =>
  approvals(db)
    .where("approval.run_id", "=", isAnyOf(slot("runIds")))
    .orderBy("approval.position"),
);

/** Oldest first. */
export async function listApprovals(reader: Reader, runIds: readonly string[]): Promise<Approval[][]> {
  const rows = await approvalsOfRuns(reader, { runIds });
  return grouped(runIds, rows.map(toApproval), (approval) => approval.runId);
}
