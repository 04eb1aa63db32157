/** Reads which policies and external checks judge the runs of a workspace, with statements that read more than that. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { RUN_KINDS, type RunKind } from "../../model/lifecycle/run-kind.ts";
import { JUDGE_POINTS, type Judge } from "../../model/policy/judge.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { toOrganization } from "../organization/organization-store.ts";

/** A judge as JSON of the database. */
interface JudgeRow {
  type: Judge["type"];
  id: string;
  name: string;
  points: (string | null)[];
  kinds: string[] | null;
  unchanged: boolean;
  shadow: boolean;
}

/** The judges of a workspace as one value; `null` if there are none. */
export type JudgeRows = readonly JudgeRow[] | null;

/** Selects the judges of a workspace, which has the alias `w`. */
export function judgesOfWorkspace(): RawBuilder<JudgeRows> {
  return sql<JudgeRows>`(select json_agg(judge) from (${sql.join(SOURCES, sql` union all `)}) judge)`;
}

/** Selects whether a workspace, which has the alias `w`, has probes that are sent after an apply. */
export function hasProbesOfWorkspace(): RawBuilder<boolean> {
  return sql<boolean>`exists(select from probe p where p.workspace_id = w.id and p.use <> 'HEALTH')`;
}

/** One select for each type of judge, with the same columns. */
const SOURCES: readonly RawBuilder<unknown>[] = [
  sql`select 'POLICY' as type, v.id, s.name,
      array[case when v.at_create then 'RUN_CREATE' end, case when v.at_plan then 'PLAN' end,
        case when v.before_apply then 'PRE_APPLY' end] as points,
      s.selector -> 'kinds' as kinds, s.judges_unchanged as unchanged, v.state = 'SHADOW' as shadow
    from policy_set s join policy_set_version v on v.set_id = s.id and v.state in ('ACTIVE', 'SHADOW')
    where s.organization_id = w.organization_id and s.enabled and s.deleted_at is null
      and policy_selects(s.selector, w.id, w.name, w.labels, null)`,
  // The verdict on a plan counts the findings from before it, so a check of PRE_PLAN is a judge of the plan as well.
  sql`select 'CHECK', c.id, c.name,
      array[case when 'PRE_PLAN' = any(c.stages) then 'PRE_PLAN' end,
        case when c.stages && '{PRE_PLAN,POST_PLAN}' then 'PLAN' end,
        case when 'PRE_APPLY' = any(c.stages) then 'PRE_APPLY' end,
        case when 'POST_APPLY' = any(c.stages) then 'POST_APPLY' end,
        case when 'POST_APPLY' = any(c.stages) and c.level <> 'ADVISORY' then 'VERIFY' end],
      c.selector -> 'kinds', false, false
    from external_check c
    where c.organization_id = w.organization_id and c.enabled and c.deleted_at is null
      and policy_selects(c.selector, w.id, w.name, w.labels, null)`,
];

/** Converts the judges that a statement has read. */
export function toJudges(rows: JudgeRows): Judge[] {
  return (rows ?? []).map(({ type, id, name, points, kinds, unchanged, shadow }) => {
    const named = points.filter((point) => point !== null).map((point) => word(POINTS, point));
    const isOf = (kind: string): RunKind => word(RUN_KINDS, kind);
    const kindsOf = kinds === null ? null : kinds.map(isOf);
    return { type, id, name, points: named, kinds: kindsOf, judgesUnchanged: unchanged, isShadow: shadow };
  });
}

const POINTS = ["RUN_CREATE", ...JUDGE_POINTS, "POST_APPLY", "VERIFY"] as const;

/** The organization of a workspace, and the judges of the runs of the workspace. */
export interface DecidingRules {
  organization: Organization;
  judges: readonly Judge[];
  /** Whether the workspace has probes that are sent after an apply. */
  hasProbes: boolean;
}

type DecidingRow = Selectable<Tables["organization"]> & { judges: JudgeRows; has_probes: boolean };

const decidingRules = prepared((_db, slot: Slot<{ workspaceId: string }>) => {
  return sql<DecidingRow>`select o.*, j.judges,
      ${hasProbesOfWorkspace()} as has_probes
    from organization o join workspace w on w.organization_id = o.id
      cross join lateral (select ${judgesOfWorkspace()} as judges) j
    where w.id = ${slot("workspaceId")}`;
});

/** Reads the rules and judges that decisions about runs of a workspace depend on, in one statement; `null` if it is gone. */
export async function findDecidingRules(reader: Reader, workspaceId: string): Promise<DecidingRules | null> {
  const [row] = await decidingRules(reader, { workspaceId });
  if (row === undefined) return null;
  return { organization: toOrganization(row), judges: toJudges(row.judges), hasProbes: row.has_probes };
}
