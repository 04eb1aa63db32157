/** A second workspace at each place, with what only some workspaces and runs have: causes, locks, rules, failures, drift. */
import { randomUUID } from "node:crypto";
import type { RunCause } from "../../src/model/run/run-cause.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { insertDriftRows } from "../support/drift-rows.ts";
import { signedIn } from "../domain/operations.ts";
import { report } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { addJudgements } from "./judged-world.ts";
import type { WalkScene } from "./walk-scene.ts";
import { importState, readStates, type World, type WorldWorkspace } from "./world.ts";

const AT = "2026-11-20T16:07:25.447Z";
/** Never open while a test runs, and never due. */
const WINDOW = { name: "leap day", cron: "0 0 29 2 *", durationMs: 60_000, timeZone: "UTC" };
const LOCK = { ID: "lock", Operation: "OperationTypeApply", Info: "", Who: "ann", Version: "", Created: "", Path: "" };

/** Adds them, and gives all workspaces. */
export async function addParts(walk: WalkScene, world: World): Promise<WorldWorkspace[]> {
  const rows: WalkScene["scene"]["rows"] = (text, ...values) => walk.scene.rows(text, ...values);
  const added: WorldWorkspace[] = [];
  for (const beside of world.workspaces) {
    added.push(await createBusyWorkspace(walk, beside));
    await createPooledWorkspace(walk, beside);
  }
  await signedIn(walk.scene);
  await rows(
    `insert into webhook_attempt (delivery_id, number, at, duration_ms, status_code, response)
      select id, 1, created_at, 5, 500, 'no' from webhook_delivery`,
  );
  await rows(
    `insert into trigger_decision (ref_change_id, workspace_id, outcome, reason, message, at)
      select c.id, w.id, 'RUN_CREATED', 'AFFECTED', w.name, c.found_at
      from ref_change c join repository r on r.id = c.repository_id join workspace w on w.organization_id = r.organization_id`,
  );
  // Of one that is seen on one that is hidden, and the other way round.
  await rows(
    `insert into workspace_dependency (upstream_id, downstream_id, outputs)
      select u.id, d.id, '[{"output": "o", "key": "o", "category": "ENGINE"}]' from workspace u join workspace d on d.organization_id = u.organization_id and d.id > u.id
      where u.id = any($1) and d.id = any($1)`,
    [...world.workspaces, ...added].map(({ id }) => id),
  );
  for (const { id } of world.workspaces) {
    const source = JSON.stringify({ type: "upload", uploadId: `upl_${id}`, digest: "d".repeat(64) });
    await rows("update workspace set source = $2 where id = $1", id, source);
  }
  for (const { id } of world.organizations) await addRules(walk, "organization", id, id);
  await addCauses(walk, added);
  return [...world.workspaces, ...added];
}

async function createBusyWorkspace(walk: WalkScene, beside: WorldWorkspace): Promise<WorldWorkspace> {
  const { scene } = walk;
  const { slug, projectId, organizationId } = beside;
  const name = `busy-${randomUUID()}`;
  const id = await scene.createWorkspace({ name, organization: slug, projectId });
  // Applied, and asked about again by the runner.
  const runId = await scene.createRun(id);
  const outputChanges = [{ name: "o", action: "CREATE" as const, sensitive: false }];
  await (await scene.claim(runId)).plan({ outputChanges });
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  const applying = await scene.claim(runId);
  await applying.apply(1, "line");
  await applying.log("APPLY", "late");
  await importState(walk, id, name, 2);
  await readStates(walk, id);
  // Its output is a target for a probe.
  await scene.rows("update workspace set deploy_shape = 'STATIC' where id = $1", id);
  // Failed.
  const failing = await scene.claim(await scene.createRun(id, { kind: "PLAN" }));
  for (const type of ["prepared", "initialized"] as const) await failing.message({ type });
  await failing.message({ type: "failed", failure: report("PLAN_FAILED") });
  await addDrift(walk, id, failing.job.run.id);
  // At work, beyond a limit, and asked to stop.
  const working = await scene.claim(await scene.createRun(id, { kind: "PLAN" }));
  for (const type of ["prepared", "initialized"] as const) await working.message({ type });
  await scene.quick("cancelRun", { runId: working.job.run.id });
  await scene.rows(
    `insert into run_progress (run_id, phase, job_id, sequence, total, done, failed, current, current_count, updated_at, reported_at)
      select $1, 'PLAN', $2, 1, 2, 1, 0, $3, 1, started_at, started_at from phase where run_id = $1 and kind = 'PLAN'`,
    working.job.run.id,
    working.job.id,
    JSON.stringify([{ address: "terraform_data.a", action: "READ", startedAt: AT }]),
  );
  await scene.rows("update run set expired_limit = 'RUN', expired_at = now() where id = $1", working.job.run.id);
  await lockBoth(walk, { id, name, slug });
  await addRules(walk, "workspace", id, organizationId);
  const states = await scene.rows("select id from state_version where workspace_id = $1 order by serial", id);
  return { id, name, projectId, organizationId, slug, stateIds: states.map((row) => row["id"]) };
}

/** Its run waits for a runner of a pool that has none, or that is offline. */
async function createPooledWorkspace({ scene }: WalkScene, { slug, projectId, organizationId }: WorldWorkspace) {
  const [pool] = await scene.rows("select id from runner_pool where organization_id = $1 limit 1", organizationId);
  const place = { organization: slug, projectId, runnerPoolId: pool?.["id"], runnerLabels: [] };
  const workspaceId = await scene.createWorkspace({ name: `pooled-${randomUUID()}`, ...place });
  await scene.createRun(workspaceId, { kind: "PLAN" });
  await scene.createRun(workspaceId, { kind: "PLAN" });
}

async function addDrift({ scene }: WalkScene, workspaceId: string, runId: string): Promise<void> {
  const drift = { foundAt: AT, runId, resources: 1, outputs: 0, fingerprint: "f", isReported: true };
  await insertDriftRows(scene, { workspaceId, runId, actorId: ADMIN_ACTOR_ID });
  const hooks = [{ stage: "BEFORE_PLAN", command: "true" }];
  const settings = { ignore: [{ addressGlob: "*", attribute: "tags" }] };
  const text = "update workspace set drift = $2, hooks = $3, drift_settings = $4 where id = $1";
  await scene.rows(text, workspaceId, JSON.stringify(drift), JSON.stringify(hooks), JSON.stringify(settings));
}

/** Locks the workspace and its state. */
async function lockBoth({ scene }: WalkScene, { id, name, slug }: Record<string, string>): Promise<void> {
  const sent = await fetch(`${scene.server.url}/state/${slug}/${name}`, {
    method: "LOCK",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify(LOCK),
  });
  if (!sent.ok) throw new Error(await sent.text());
  await scene.quick("lockWorkspace", { workspaceId: id, note: name });
}

/** Rules for destroys, of which there are none: no gate of the world follows them. */
async function addRules(
  { scene }: WalkScene,
  table: "organization" | "workspace",
  id: string,
  organizationId: string,
): Promise<void> {
  const [team] = await scene.rows("select id from team where organization_id = $1 order by id limit 1", organizationId);
  const [account] = await scene.rows(
    "select id from actor where organization_id = $1 order by id limit 1",
    organizationId,
  );
  const counted = { minimum: 1, approverIds: [account?.["id"]], teamIds: [team?.["id"]] };
  const asked = { excludeRequester: false, distinctFromPlanApprover: false, commentRequired: false };
  const rule = { name: "r", gate: "APPLY", kinds: ["DESTROY"], machinesCount: true, requirePresence: false };
  await scene.rows(
    `update ${table} set approval_rules = $2, freeze_windows = $3 where id = $1`,
    id,
    JSON.stringify([{ ...rule, ...counted, ...asked }]),
    JSON.stringify([WINDOW]),
  );
}

/** Runs that wait, each with another cause: something of the other workspaces of the organization. */
async function addCauses(walk: WalkScene, workspaces: readonly WorldWorkspace[]): Promise<void> {
  const { scene } = walk;
  for (const { id, organizationId } of workspaces) {
    const first = async (text: string): Promise<Data> => {
      const [row] = await scene.rows(text, organizationId, id);
      if (row === undefined) throw new Error(`There is none: ${text}`);
      return row;
    };
    const change = await first(
      "select c.id from ref_change c join repository r on r.id = c.repository_id where r.organization_id = $1 and $2 <> ''",
    );
    const upstreams = await scene.rows(
      "select min(id) as id from run where organization_id = $1 group by workspace_id",
      organizationId,
    );
    const schedules = await scene.rows("select id from schedule where organization_id = $1", organizationId);
    const reports = await scene.rows(
      "select r.id from drift_report r join run on run.id = r.run_id where run.organization_id = $1",
      organizationId,
    );
    const pipeline = await first("select id from promotion_pipeline where organization_id = $1 and $2 <> ''");
    const changesets = await scene.rows("select id from changeset where organization_id = $1", organizationId);
    const hook = await first("select id from inbound_hook where organization_id = $1 and $2 <> ''");
    const actor = await first("select created_by as id from run where organization_id = $1 and workspace_id = $2");
    const earlier = await first("select id from run where organization_id = $1 and workspace_id = $2");
    // A version has judged each run, and a simulation has each plan.
    await addJudgements(walk, organizationId);
    const causes: RunCause[] = [
      { type: "PUSH", refChangeId: change["id"], ref: "refs/heads/main", commit: "a".repeat(40) },
      { type: "EXPIRY", expiresAt: AT, setById: actor["id"] },
      { type: "ROLLBACK", mode: "PROPOSE", toRunId: earlier["id"], risks: [] },
      { type: "INBOUND_HOOK", hookId: hook["id"], deliveryId: "1", metadata: {} },
      ...upstreams.map(
        (run): RunCause => ({
          type: "DEPENDENCY",
          upstreamRunId: run["id"],
          changedOutputs: ["o"],
        }),
      ),
      ...changesets.map(
        (one): RunCause => ({
          type: "PROMOTION",
          changesetId: one["id"],
          pipelineId: pipeline["id"],
          stage: "prod",
          commit: "a".repeat(40),
        }),
      ),
      ...reports.map((one): RunCause => ({ type: "DRIFT", reportId: one["id"] })),
      ...schedules.map((one): RunCause => ({ type: "SCHEDULE", scheduleId: one["id"], dueAt: AT })),
    ];
    await scene.rows(
      `insert into source_inputs (workspace_id, digest, commit, folders, paths, unresolved, created_at)
        values ($1, 'd', 'c', '{.}', '{}', '{}', now())`,
      id,
    );
    for (const cause of causes) {
      const runId = await scene.createRun(id);
      const text =
        "update run set cause = $2, inputs_digest = 'd', commit_url = 'https://git.example/a/commit/c', trigger = $3 where id = $1";
      await scene.rows(text, runId, JSON.stringify(cause), cause.type === "PUSH" ? "PUSH" : "MANUAL");
    }
    // What the newest would do.
    await scene.rows(
      `insert into state_rollback (run_id, state_version_id, state_serial)
        select (select max(id) from run where workspace_id = $1), min(id), 2 from state_version where workspace_id = $1`,
      id,
    );
    // What another one got, from each state of the organization.
    await scene.rows(
      `insert into run_upstream (run_id, category, key, output, state_version_id, value_hash)
        select (select min(id) from run where workspace_id = $2), 'ENGINE', v.id, 'o', v.id, '\\x00'
        from state_version v join workspace w on w.id = v.workspace_id where w.organization_id = $1`,
      organizationId,
      id,
    );
    const [repository] = await scene.rows("select id from repository where organization_id = $1", organizationId);
    const source = { type: "git", url: "https://github.com/a/b", branch: "main", path: "." };
    const named = JSON.stringify({ ...source, repositoryId: repository?.["id"] });
    await scene.rows("update workspace set source = $2 where id = $1", id, named);
  }
}
