/** Overrides: which failures of policies people accepted, for which plans. */
import { sql } from "kysely";
import { type Approval, GATES } from "../../model/approval/approval.ts";
import { APPROVER_KINDS } from "../../model/approval/approver.ts";
import { ENFORCEMENT_LEVELS } from "../../model/policy/policy-set.ts";
import type { Run } from "../../model/run/run.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** An override of failures of one owner, with those of them that were asked for; hexadecimal. */
export interface StoredOverride {
  ownerId: string;
  approval: Approval;
  fingerprints: readonly string[];
}

/** Notes that an approval overrides failures about a plan. A failure that it overrides already is left out. */
export async function insertOverrides(
  tx: Transaction,
  {
    runId,
    planVersion,
    ownerId,
    approvalId,
  }: { runId: string; planVersion: number; ownerId: string; approvalId: string },
  fingerprints: readonly string[],
): Promise<void> {
  await sql`
    insert into policy_override (run_id, plan_version, owner_id, fingerprint, approval_id)
    select ${runId}, ${planVersion}, ${ownerId}, decode(fingerprint, 'hex'), ${approvalId}
    from unnest(${fingerprints}::text[]) fingerprint
    on conflict do nothing`.execute(tx.sql);
}

interface OverrideRow {
  owner_id: string;
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
  return { ownerId: row.owner_id, approval, fingerprints: row.fingerprints };
}

/**
 * Lists the overrides of these failures that may hold for another plan of a run, oldest first: those of the same plan (an APPLY
 * applies that of its PLAN run), and where the set holds them for equal failures, those of earlier plans of the run and of runs
 * of the same revision in the workspace. Withdrawn ones are left out, and those of runs that people rejected.
 */
export async function listHoldingOverrides(
  reader: Reader,
  run: Pick<Run, "id" | "workspaceId" | "planRunId" | "planVersion" | "revision">,
  { ownerIds, fingerprints }: { ownerIds: readonly string[]; fingerprints: readonly string[] },
): Promise<StoredOverride[]> {
  const { rows } = await sql<OverrideRow>`
    select o.owner_id, array_agg(distinct encode(o.fingerprint, 'hex')) as fingerprints, a.id, a.run_id, a.gate, a.stage,
      a.actor_id, a.approver_kind, a.sponsor_id, a.team_ids, a.present, a.comment, a.plan_version, a.plan_digest, a.at
    from policy_override o
    join approval a on a.id = o.approval_id
    join run r on r.id = a.run_id
    left join policy_set s on s.id = o.owner_id
    where o.fingerprint in (select decode(wanted, 'hex') from unnest(${fingerprints}::text[]) wanted)
      and o.owner_id = any(${ownerIds}::text[])
      and r.workspace_id = ${run.workspaceId}
      and r.status <> 'REJECTED'
      and (
        (a.run_id = ${run.planRunId} and a.plan_version = ${run.planVersion})
        or (s.overriders ->> 'holds' = 'SAME_VIOLATIONS'
          and (a.run_id in (${run.id}, ${run.planRunId}) or r.revision = ${run.revision}))
      )
      and not exists (
        select from approval newer
        where newer.run_id = a.run_id and newer.gate = a.gate and newer.actor_id = a.actor_id
          and newer.position > a.position
          and (newer.stage is not distinct from a.stage or newer.decision = 'REJECTED')
          and newer.plan_version = a.plan_version)
    group by o.owner_id, a.id
    order by a.position`.execute(reader.sql);
  return rows.map(toOverride);
}

/** Lists what the active versions of policy sets found about the newest plan of a run, in order. */
export async function listPlanFindings(reader: Reader, run: Pick<Run, "id" | "planVersion">) {
  const rows = await reader.sql
    .selectFrom("policy_result")
    .innerJoin("policy_evaluation as evaluation", "evaluation.id", "evaluation_id")
    .innerJoin("policy_set_version as version", "version.id", "evaluation.version_id")
    .innerJoin("policy_set", "policy_set.id", "version.set_id")
    .selectAll("policy_result")
    .select(["version.set_id", "policy_set.name as owner"])
    .where("evaluation.run_id", "=", run.id)
    .where("evaluation.plan_version", "=", run.planVersion)
    .where("evaluation.point", "=", "PLAN")
    .where("evaluation.shadow", "=", false)
    .orderBy("evaluation.id")
    .orderBy("policy_result.position")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    source: "POLICY" as const,
    ownerId: row.set_id,
    owner: row.owner,
    policy: row.policy,
    rule: row.rule,
    level: word(ENFORCEMENT_LEVELS, row.level),
    status: row.status === "ERROR" ? ("ERROR" as const) : ("FAILED" as const),
    message: row.message,
    addresses: row.addresses,
    approvers: row.approvers,
    fingerprint: row.fingerprint.toString("hex"),
  }));
}
