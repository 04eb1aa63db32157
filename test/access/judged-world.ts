/** Judgements of each plan of an organization by one version of a policy set, and a simulation of that version. */
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { WalkScene } from "./walk-scene.ts";

/** Adds them for the plans that have none. */
export async function addJudgements({ scene }: WalkScene, organizationId: string): Promise<void> {
  const { newId } = scene.server.deps;
  const [version] = await scene.rows(
    `select v.id, v.set_id from policy_set_version v join policy_set s on s.id = v.set_id where s.organization_id = $1
      order by v.id limit 1`,
    organizationId,
  );
  if (version === undefined) throw new Error(`${organizationId} has no version of a policy set.`);
  const simulationId = newId("policySimulation");
  await scene.rows(
    `insert into policy_simulation (id, set_id, version_id, state, created_by, created_at, finished_at)
      values ($1, $2, $3, 'FINISHED', $4, now(), now())`,
    simulationId,
    version["set_id"],
    version["id"],
    ADMIN_ACTOR_ID,
  );
  await scene.rows(
    `insert into policy_simulation_item (simulation_id, position, run_id, plan_id, plan_version, before, after, done_at)
      select $1, row_number() over (order by p.id), p.run_id, p.id, p.version, 'PASSED', 'FAILED', now()
      from plan p join run r on r.id = p.run_id where r.organization_id = $2`,
    simulationId,
    organizationId,
  );
  const plans = await scene.rows(
    "select p.run_id, p.version from plan p join run r on r.id = p.run_id where r.organization_id = $1",
    organizationId,
  );
  for (const plan of plans) {
    const id = newId("policyEvaluation");
    await scene.rows(
      `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, error, cpu_ms, created_at,
        finished_at) values ($1, $2, 'PLAN', $3::int, $4, true, 'FAILED', 'none', 1, now(), now())
        on conflict do nothing`,
      id,
      plan["run_id"],
      plan["version"],
      version["id"],
    );
    await scene.rows(
      `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
        addresses, fingerprint, exception_id) select $1, id, 1, 'p', 'p', 'MANDATORY', true, 'WAIVED', 'm', '{a.b}', '\\x00',
        (select min(id) from policy_exception where organization_id = $3) from policy_evaluation where id = $2`,
      newId("policyResult"),
      id,
      organizationId,
    );
  }
}
