/** Overrides: which failures of policies people accepted, for which plans. */
import { sql } from "kysely";
import { type Approval, GATES } from "../../model/approval/approval.ts";
import { APPROVER_KINDS } from "../../model/approval/approver.ts";
import type { Run } from "../../model/run/run.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";

/** A failure as overrides name it: the version of the policy set, or the external check, and its fingerprint in hexadecimal. */
export interface OverriddenFailure {
  judgeId: string;
  fingerprint: string;
}

/** An override of failures of one owner, with those of them that were asked for. */
export interface StoredOverride {
  ownerId: string;
  approval: Approval;
  failures: readonly OverriddenFailure[];
}

/** Notes that an approval overrides failures about a plan. A failure that it overrides already is left out. */
export async function insertOverrides(
  tx: Transaction,
  of: { runId: string; planVersion: number; ownerId: string; approvalId: string },
  failures: readonly OverriddenFailure[],
): Promise<void> {
  const { runId, planVersion, ownerId, approvalId } = of;
  for (const some of inParts(failures)) {
    await sql`
      insert into policy_override (run_id, plan_version, owner_id, judge_id, fingerprint, approval_id)
      select ${runId}, ${planVersion}, ${ownerId}, judge, decode(fingerprint, 'hex'), ${approvalId}
      from unnest(${judgesOf(some)}::text[], ${fingerprintsOf(some)}::text[]) failure (judge, fingerprint)
      on conflict do nothing`.execute(tx.sql);
  }
}

/** Failures of one statement: a plan may have many thousands. */
const AT_ONCE = 2_000;

function inParts(failures: readonly OverriddenFailure[]): (readonly OverriddenFailure[])[] {
  const count = Math.ceil(failures.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => failures.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}

const judgesOf = (failures: readonly OverriddenFailure[]): string[] => failures.map(({ judgeId }) => judgeId);
const fingerprintsOf = (failures: readonly OverriddenFailure[]): string[] =>
  failures.map(({ fingerprint }) => fingerprint);

interface OverrideRow {
  owner_id: string;
  judges: string[];
  fingerprints: string[];
  id: string;
  run_id: string;
  gate: string;
  stage: string | null;
  actor_id: string;
  approver_kind: string;
  sponsor_id: string | null;
  team_ids: string[];
  present: boolean;
  comment: string | null;
  plan_version: number;
  plan_digest: string;
  at: string;
}

function toOverride(row: OverrideRow): StoredOverride {
  const approval: Approval = {
    id: row.id,
    runId: row.run_id,
    gate: word(GATES, row.gate),
    stage: row.stage,
    decision: "OVERRIDDEN",
    actorId: row.actor_id,
    approverKind: word(APPROVER_KINDS, row.approver_kind),
    countsAs: row.sponsor_id ?? row.actor_id,
    teamIds: row.team_ids,
    present: row.present,
    comment: row.comment,
    planVersion: row.plan_version,
    planDigest: row.plan_digest,
    applyAt: null,
    at: row.at,
    counts: true,
  };
  const failures = row.fingerprints.map((fingerprint, index) => ({ judgeId: row.judges[index] ?? "", fingerprint }));
  return { ownerId: row.owner_id, approval, failures };
}

/**
 * Lists the overrides of these failures that may hold for another plan of a run, oldest first: those of the same plan (an APPLY
 * applies that of its PLAN run), and where the set holds them for equal failures, those of earlier plans of the run and of runs
 * of the same revision in the workspace. Withdrawn ones are left out, and those of runs that people rejected. Those of other
 * plans do not hold where failures of this one were counted and not stored.
 */
export async function listHoldingOverrides(
  reader: Reader,
  run: Pick<Run, "id" | "workspaceId" | "planRunId" | "planVersion" | "revision">,
  failures: readonly OverriddenFailure[],
): Promise<StoredOverride[]> {
  const byApproval = new Map<string, StoredOverride>();
  for (const some of inParts(failures)) {
    for (const row of await listHolding(reader, run, some)) {
      const found = toOverride(row);
      const key = `${found.ownerId} ${found.approval.id}`;
      const earlier = byApproval.get(key)?.failures ?? [];
      byApproval.set(key, { ...found, failures: [...earlier, ...found.failures] });
    }
  }
  return [...byApproval.values()];
}

async function listHolding(
  reader: Reader,
  run: Parameters<typeof listHoldingOverrides>[1],
  failures: readonly OverriddenFailure[],
): Promise<OverrideRow[]> {
  const { rows } = await sql<OverrideRow>`
    select o.owner_id, array_agg(o.judge_id order by o.judge_id, o.fingerprint) as judges,
      array_agg(encode(o.fingerprint, 'hex') order by o.judge_id, o.fingerprint) as fingerprints, a.id, a.run_id, a.gate, a.stage,
      a.actor_id, a.approver_kind, a.sponsor_id, a.team_ids, a.present, a.comment, a.plan_version, a.plan_digest, a.at
    from policy_override o
    join approval a on a.id = o.approval_id
    join run r on r.id = a.run_id
    left join policy_set s on s.id = o.owner_id
    where (o.judge_id, o.fingerprint) in (
        select judge, decode(wanted, 'hex')
        from unnest(${judgesOf(failures)}::text[], ${fingerprintsOf(failures)}::text[]) failure (judge, wanted))
      and r.workspace_id = ${run.workspaceId}
      and r.status <> 'REJECTED'
      and (
        (a.run_id = ${run.planRunId} and a.plan_version = ${run.planVersion})
        or (s.overriders ->> 'holds' = 'SAME_VIOLATIONS'
          and (a.run_id in (${run.id}, ${run.planRunId}) or r.revision = ${run.revision})
          and not exists (
            select from policy_evaluation evaluation
            where evaluation.run_id = ${run.id} and evaluation.plan_version = ${run.planVersion}
              and evaluation.version_id = o.judge_id and evaluation.dropped > 0))
      )
      and not exists (
        select from approval newer
        where newer.run_id = a.run_id and newer.gate = a.gate and newer.actor_id = a.actor_id
          and newer.position > a.position
          and (newer.stage is not distinct from a.stage or newer.decision = 'REJECTED')
          and newer.plan_version = a.plan_version)
      and not exists (
        select from policy_override withdrawn
        where withdrawn.approval_id = a.id and withdrawn.withdrawal_id is not null)
    group by o.owner_id, a.id
    order by a.position`.execute(reader.sql);
  return rows;
}

/** An override of an earlier plan, or of another run, that holds for the newest plan of a run. */
export interface CarriedOverride {
  approvalId: string;
  actorId: string;
  stage: string | null;
}

/** Lists by run the overrides that are carried to its newest plan, oldest first. */
export async function listCarriedOverrides(reader: Reader, runIds: readonly string[]): Promise<CarriedOverride[][]> {
  const { rows } = await sql<CarriedOverride & { runId: string }>`
    select distinct o.run_id as "runId", a.position, a.id as "approvalId", a.actor_id as "actorId", a.stage
    from run r
    join policy_override o on o.run_id = r.id and o.plan_version = r.plan_version
    join approval a on a.id = o.approval_id
    where r.id = any(${runIds}::text[]) and (a.run_id <> r.id or a.plan_version <> r.plan_version)
      and o.withdrawal_id is null
    order by o.run_id, a.position`.execute(reader.sql);
  return grouped(runIds, rows, ({ runId }) => runId);
}

/** Withdraws a carried override for a plan, and so for all others to which it was not carried yet. */
export async function withdrawCarriedOverride(
  tx: Transaction,
  { runId, planVersion, approvalId }: { runId: string; planVersion: number; approvalId: string },
  withdrawalId: string,
): Promise<void> {
  await tx.sql
    .updateTable("policy_override")
    .set({ withdrawal_id: withdrawalId })
    .where("run_id", "=", runId)
    .where("plan_version", "=", planVersion)
    .where("approval_id", "=", approvalId)
    .execute();
}

/**
 * Returns by result of a policy the actor that overrode it first, for its plan or for an earlier one whose override holds; `null`
 * if no one did.
 */
export async function findOverridersOfResults(
  reader: Reader,
  resultIds: readonly string[],
): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("policy_result as result")
    .innerJoin("policy_evaluation as evaluation", "evaluation.id", "result.evaluation_id")
    .innerJoin("policy_override as o", (join) =>
      join
        .onRef("o.run_id", "=", "evaluation.run_id")
        .onRef("o.plan_version", "=", "evaluation.plan_version")
        .onRef("o.judge_id", "=", "evaluation.version_id")
        .onRef("o.fingerprint", "=", "result.fingerprint"),
    )
    .innerJoin("approval as a", "a.id", "o.approval_id")
    .distinctOn("result.id")
    .select(["result.id", "a.actor_id"])
    .where("result.id", "in", resultIds)
    .where("o.withdrawal_id", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("approval as newer")
            .select("newer.id")
            .whereRef("newer.run_id", "=", "a.run_id")
            .whereRef("newer.plan_version", "=", "a.plan_version")
            .whereRef("newer.gate", "=", "a.gate")
            .whereRef("newer.actor_id", "=", "a.actor_id")
            .whereRef("newer.position", ">", "a.position")
            .where(sql<boolean>`newer.stage is not distinct from a.stage`),
        ),
      ),
    )
    .orderBy("result.id")
    .orderBy("a.position")
    .execute();
  return inOrder(resultIds, rows, ({ id }) => id).map((row) => row?.actor_id ?? null);
}
