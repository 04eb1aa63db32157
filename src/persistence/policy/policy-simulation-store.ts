/** Simulations of policies over past plans, worked off by the server that has the lease. */
import { type Selectable, sql } from "kysely";
import { firstIdAt } from "../../model/kit/id.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import {
  countOutcomes,
  EARLIER_JUDGEMENTS,
  type PolicySimulation,
  SIMULATED_JUDGEMENTS,
  type SimulatedPlan,
  SIMULATION_STATES,
  type SimulationCounts,
} from "../../model/policy/policy-simulation.ts";
import { JUDGED_KINDS, type StoredPolicySource } from "../../model/policy/policy-source.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { PLANNED_EACH_TIME } from "../database/statement-names.ts";
import type { Tables } from "../database/tables.ts";
import { newestPlannedRuns, type RunSelection } from "../run/run-list-store.ts";

/** A simulation with the organization of its set. */
export type PlacedSimulation = PolicySimulation & { organizationId: string };

type Row = Omit<Selectable<Tables["policy_simulation"]>, "source" | "lease_id" | "lease_until">;

function toSimulation(row: Row & { organization_id: string }): PlacedSimulation {
  return {
    id: row.id,
    setId: row.set_id,
    organizationId: row.organization_id,
    versionId: row.version_id,
    state: word(SIMULATION_STATES, row.state),
    createdById: row.created_by,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

function toPlan(row: Selectable<Tables["policy_simulation_item"]>): SimulatedPlan {
  return {
    simulationId: row.simulation_id,
    position: row.position,
    runId: row.run_id,
    planId: row.plan_id,
    planVersion: row.plan_version,
    before: wordOrNull(EARLIER_JUDGEMENTS, row.before),
    after: wordOrNull(SIMULATED_JUDGEMENTS, row.after),
    findings: row.findings,
    error: row.error,
    doneAt: row.done_at,
  };
}

function withPlace(reader: Reader) {
  return reader.sql
    .selectFrom("policy_simulation")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .select([
      "policy_simulation.id",
      "set_id",
      "version_id",
      "state",
      "created_by",
      "policy_simulation.created_at",
      "finished_at",
      "organization_id",
    ])
    .where("deleted_at", "is", null);
}

/** Inserts a simulation. `source`: `null` for that of its version. */
export async function insertSimulation(
  tx: Transaction,
  simulation: PolicySimulation,
  source: StoredPolicySource | null,
): Promise<void> {
  await tx.sql
    .insertInto("policy_simulation")
    .values({
      id: simulation.id,
      set_id: simulation.setId,
      version_id: simulation.versionId,
      source: source === null ? null : JSON.stringify(source),
      state: simulation.state,
      created_by: simulation.createdById,
      created_at: simulation.createdAt,
      finished_at: simulation.finishedAt,
    })
    .execute();
}

/**
 * Selects the newest plans of the runs of a scope that match and that the set selects, each with what a version of the set
 * found at that time. Returns their number.
 */
export async function insertSimulatedPlans(
  tx: Transaction,
  simulationId: string,
  { scope, filter, set, last }: { scope: CallerScope; filter: RunSelection; set: PolicySet; last: number },
): Promise<number> {
  const judged = sql<boolean>`run.kind = any(${[...JUDGED_KINDS]}::text[])
    and exists (select from plan p where p.run_id = run.id and p.version = run.plan_version
      and (p.has_changes or ${set.judgesUnchanged}))
    and exists (select from workspace w where w.id = run.workspace_id
      and policy_selects(${JSON.stringify(set.selector)}::jsonb, w.id, w.name, w.labels, run.kind))`;
  const ids = newestPlannedRuns(tx, scope, { ...filter, organizationId: set.organizationId }, judged).limit(last);
  const { rows } = await sql<{ position: number }>`
    insert into policy_simulation_item (simulation_id, position, run_id, plan_id, plan_version, before)
    select ${simulationId}, row_number() over (order by r.id desc), r.id, p.id, p.version, (
      select e.status from policy_evaluation e join policy_set_version v on v.id = e.version_id
      where e.run_id = r.id and e.point = 'PLAN' and e.plan_version = p.version and v.set_id = ${set.id}
        and not e.shadow and e.finished_at is not null
      order by e.id desc limit 1)
    from run r join plan p on p.run_id = r.id and p.version = r.plan_version where r.id in (${ids})
    returning position ${sql.raw(PLANNED_EACH_TIME)}`.execute(tx.sql);
  return rows.length;
}

export async function countRunningSimulations(reader: Reader, organizationId: string): Promise<number> {
  const rows = await withPlace(reader)
    .where("organization_id", "=", organizationId)
    .where("state", "=", "RUNNING")
    .execute();
  return rows.length;
}

export async function findSimulations(reader: Reader, ids: readonly string[]): Promise<(PlacedSimulation | null)[]> {
  const rows = await withPlace(reader).where("policy_simulation.id", "in", ids).execute();
  return inOrder(ids, rows.map(toSimulation), ({ id }) => id);
}

/** Locks a simulation; `null` if there is none. */
export async function lockSimulation(tx: Transaction, id: string): Promise<PlacedSimulation | null> {
  const row = await withPlace(tx)
    .where("policy_simulation.id", "=", id)
    .forNoKeyUpdate("policy_simulation")
    .executeTakeFirst();
  return row === undefined ? null : toSimulation(row);
}

/** Ends a simulation that runs. */
export async function endSimulation(
  tx: Transaction,
  id: string,
  { state, at }: { state: "STOPPED" | "FINISHED"; at: string },
): Promise<void> {
  await tx.sql
    .updateTable("policy_simulation")
    .set({ state, finished_at: at, lease_id: null, lease_until: null })
    .where("id", "=", id)
    .where("state", "=", "RUNNING")
    .execute();
}

/** A simulation that a server works on. */
export interface LeasedSimulation {
  id: string;
  setId: string;
  versionId: string | null;
  source: StoredPolicySource | null;
}

/** Takes the simulation that waits for longest, or whose server has lost it; `null` if there is none. */
export async function leaseSimulation(
  tx: Transaction,
  { by, at, until }: { by: string; at: string; until: string },
): Promise<LeasedSimulation | null> {
  const { rows } = await sql<{
    id: string;
    set_id: string;
    version_id: string | null;
    source: StoredPolicySource | null;
  }>`
    update policy_simulation set lease_id = ${by}, lease_until = ${until} where id = (
      select id from policy_simulation
      where state = 'RUNNING' and (lease_until is null or lease_until <= ${at} or lease_id = ${by})
      order by lease_until nulls first, id limit 1 for update skip locked)
    returning id, set_id, version_id, source`.execute(tx.sql);
  const [row] = rows;
  return row === undefined ? null : { id: row.id, setId: row.set_id, versionId: row.version_id, source: row.source };
}

/** Lists plans that are still to be judged, in their order. */
export async function listOpenPlans(reader: Reader, simulationId: string, limit: number): Promise<SimulatedPlan[]> {
  const rows = await reader.sql
    .selectFrom("policy_simulation_item")
    .selectAll()
    .where("simulation_id", "=", simulationId)
    .where("done_at", "is", null)
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map(toPlan);
}

/**
 * Stores what came of plans, and ends the simulation after the last one. Nothing is stored if it was stopped, or another
 * server has it. Returns whether it continues.
 */
export async function storeSimulated(
  tx: Transaction,
  { id, by, at }: { id: string; by: string; at: string },
  plans: readonly Pick<SimulatedPlan, "position" | "after" | "findings" | "error">[],
): Promise<boolean> {
  const held = await tx.sql
    .selectFrom("policy_simulation")
    .select("id")
    .where("id", "=", id)
    .where("state", "=", "RUNNING")
    .where("lease_id", "=", by)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (held === undefined) return false;
  await sql`
    update policy_simulation_item i set after = d.after, findings = d.findings, error = d.error, done_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(plans)}::jsonb) as d (position integer, after text, findings jsonb, error text)
    where i.simulation_id = ${id} and i.position = d.position and i.done_at is null`.execute(tx.sql);
  const open = await listOpenPlans(tx, id, 1);
  if (open.length > 0) return true;
  await endSimulation(tx, id, { state: "FINISHED", at });
  return false;
}

/** Lists what came of the plans of runs within a scope; positions are theirs. */
export async function listSimulatedPlans(
  reader: Reader,
  scope: CallerScope,
  simulationId: string,
  page: PageRequest<number>,
): Promise<Page<SimulatedPlan>> {
  const { after, before } = page;
  const limits = within(scope, SCOPE_OF_RUN) ?? sql<boolean>`true`;
  const rows = await reader.sql
    .selectFrom("policy_simulation_item")
    .selectAll()
    .where("simulation_id", "=", simulationId)
    .where(sql<boolean>`exists (select from run where run.id = policy_simulation_item.run_id and ${limits})`)
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toPlan));
}

/** Counts the plans of simulations whose runs lie within a scope, by their outcomes. */
export async function countSimulatedPlans(
  reader: Reader,
  scope: CallerScope,
  simulationIds: readonly string[],
): Promise<SimulationCounts[]> {
  const { rows } = await sql<{ id: string; before: string | null; after: string | null; count: number }>`
    select simulation_id as id, before, after, count(*)::int as count
    from policy_simulation_item join run on run.id = run_id
    where simulation_id = any(${simulationIds}::text[]) and ${within(scope, SCOPE_OF_RUN) ?? sql`true`}
    group by simulation_id, before, after`.execute(reader.sql);
  const pairs = Map.groupBy(rows, ({ id }) => id);
  return simulationIds.map((id) =>
    countOutcomes(
      (pairs.get(id) ?? []).map(({ before, after, count }) => ({
        before: wordOrNull(EARLIER_JUDGEMENTS, before),
        after: wordOrNull(SIMULATED_JUDGEMENTS, after),
        count,
      })),
    ),
  );
}

/** Removes the oldest simulation that ended before an instant. Returns whether there was one. */
export async function removeEndedSimulation(tx: Transaction, before: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with due as (
      select id from policy_simulation
      where id < ${firstIdAt("policySimulation", Date.parse(before))} and finished_at < ${before}
      order by id limit 1 for update skip locked
    ), items as (
      delete from policy_simulation_item using due where simulation_id = due.id
    )
    delete from policy_simulation using due where policy_simulation.id = due.id
  `.execute(tx.sql);
  return numAffectedRows === 1n;
}
