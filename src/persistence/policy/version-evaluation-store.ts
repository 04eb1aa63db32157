/** The evaluations of a version over all runs, by which a shadow is judged before it counts. */
import { sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Placed } from "../../model/people/place.ts";
import type { EvaluationCounts, EvaluationStatus, PolicyEvaluation } from "../../model/policy/policy-evaluation.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { inOrder } from "../database/group.ts";
import { PLACE_OF_RUN, SCOPE_OF_RUN, withPlace } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { QUALIFIED, toEvaluation } from "./evaluation-store.ts";

/** Lists the evaluations of a version about runs within a scope, newest first; positions are ids. `statuses`: empty for all. */
export async function listEvaluationsOfVersion(
  reader: Reader,
  scope: CallerScope,
  { versionId, statuses }: { versionId: string; statuses: readonly EvaluationStatus[] },
  page: PageRequest<string>,
): Promise<Page<Placed<PolicyEvaluation>>> {
  const { after, before } = page;
  const limits = within(scope, SCOPE_OF_RUN);
  const rows = await reader.sql
    .selectFrom("policy_evaluation")
    .innerJoin("run", "run.id", "policy_evaluation.run_id")
    .select([...QUALIFIED, ...PLACE_OF_RUN])
    .where("version_id", "=", versionId)
    .where(inKeptWorkspace("run.workspace_id"))
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .$if(statuses.length > 0, (q) => q.where("policy_evaluation.status", "in", statuses))
    .$if(after !== null, (q) => q.where("policy_evaluation.id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("policy_evaluation.id", ">", before ?? ""))
    .orderBy("policy_evaluation.id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(
    page,
    rows.map((row) => withPlace(toEvaluation(row), row)),
  );
}

/** Counts the evaluations of versions about runs within a scope, by their statuses. */
export async function countEvaluationsOfVersions(
  reader: Reader,
  scope: CallerScope,
  versionIds: readonly string[],
): Promise<EvaluationCounts[]> {
  const of = (status: EvaluationStatus) => sql`(count(*) filter (where e.status = ${status}))::int`;
  const { rows } = await sql<EvaluationCounts & { id: string }>`
    select e.version_id as id, count(*)::int as total, ${of("PASSED")} as passed, ${of("WARNED")} as warned,
      ${of("FAILED")} as failed, ${of("ERRORED")} as errored
    from policy_evaluation e join run on run.id = e.run_id
    where e.version_id = any(${versionIds}::text[]) and ${inKeptWorkspace("run.workspace_id")}
      and ${within(scope, SCOPE_OF_RUN) ?? sql`true`}
    group by e.version_id`.execute(reader.sql);
  return inOrder(versionIds, rows, ({ id }) => id).map((row) => ({
    total: row?.total ?? 0,
    passed: row?.passed ?? 0,
    warned: row?.warned ?? 0,
    failed: row?.failed ?? 0,
    errored: row?.errored ?? 0,
  }));
}
