/** Rows as the release of migration 0006 left them, by plain SQL: its stores know nothing of later columns. */
import type { Client } from "pg";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { NewId } from "../../src/model/kit/id.ts";
import { phaseOf } from "../../src/model/run/phase-of-run.ts";
import type { RunKind, RunLeg } from "../../src/model/lifecycle/run-kind.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../../src/model/lifecycle/run-status.ts";
import type { Cipher } from "../../src/persistence/installation/cipher.ts";

export type Step = readonly [RunStatus, RunLeg, outcome?: string];

/** The way of a DEPLOY run that nobody refuses anything. */
const WAY: readonly Step[] = [
  ["READY", "PLAN"],
  ["PREPARING", "PLAN"],
  ["INITIALIZING", "PLAN"],
  ["PLANNING", "PLAN"],
  ["AWAITING_PLAN_APPROVAL", "PLAN"],
  ["AWAITING_APPLY_APPROVAL", "PLAN"],
  ["CONFIRMED", "APPLY"],
  ["PREPARING", "APPLY"],
  ["APPLYING", "APPLY"],
];

/** The way to the first time that a run has a status, and what came after it. */
export function way(to: RunStatus, ...more: Step[]): Step[] {
  return [...WAY.slice(0, WAY.findIndex(([status]) => status === to) + 1), ...more];
}

export interface OldRun {
  id: string;
  workspaceId: string;
  /** The newest lease. */
  jobId: string;
  /** The newest message of its runner. */
  sequence: number;
}

export interface OlderRelease {
  addWorkspace(settings?: { paused?: boolean; lock?: "MANUAL" | "APPLY_INTERRUPTED" }): Promise<string>;
  addRun(workspaceId: string, kind: RunKind, steps: readonly Step[]): Promise<OldRun>;
}

export interface OlderReleaseDeps {
  client: Client;
  cipher: Cipher;
  newId: NewId;
  /** When everything was written, and when leases run out. */
  at: string;
  leasesEndAt: string;
}

export function olderRelease({ client, cipher, newId, at, leasesEndAt }: OlderReleaseDeps): OlderRelease {
  const insert = async (table: string, row: Record<string, unknown>): Promise<void> => {
    const keys = Object.keys(row);
    const places = keys.map((_, index) => `$${index + 1}`);
    await client.query(`insert into ${table} (${keys.join(", ")}) values (${places.join(", ")})`, Object.values(row));
  };
  const runnerId = newId("runner");
  let runnerKnown = false;

  async function addBlob(kind: "SOURCE" | "ARCHIVE", workspaceId: string): Promise<string> {
    const id = newId("blob");
    const body = Buffer.from(`${kind} ${id}`);
    const owner = { id, kind, workspace_id: workspaceId, created_at: at };
    await insert("blob", { ...owner, digest: id, size: body.length });
    await insert("blob_piece", { blob_id: id, position: 0, body: cipher.seal(body, `blob/${id}/0`) });
    return id;
  }

  async function addPlan(run: OldRun): Promise<string> {
    const id = newId("plan");
    const counts = { additions: 1, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0 };
    await insert("plan", {
      id,
      run_id: run.id,
      version: 1,
      digest: "d1",
      engine_name: "terraform",
      engine_version: "1.11.4",
      has_changes: true,
      complete: true,
      ...counts,
      state_serial: 0,
      targets: [],
      output_changes: "[]",
      text_zstd: Buffer.of(),
      created_at: at,
      archive_blob_id: await addBlob("ARCHIVE", run.workspaceId),
    });
    return id;
  }

  async function addApproval(run: OldRun, gate: "PLAN" | "APPLY"): Promise<string> {
    const id = newId("approval");
    const plan = { plan_version: 1, plan_digest: "d1" };
    await insert("approval", { id, run_id: run.id, gate, decision: "APPROVED", actor_id: ADMIN_ACTOR_ID, ...plan, at });
    return id;
  }

  async function addJob(run: OldRun, leg: RunLeg): Promise<void> {
    if (!runnerKnown) await insert("runner", { id: runnerId, name: "old runner", version: "0", last_seen_at: at });
    runnerKnown = true;
    run.jobId = newId("job");
    await insert("job", {
      id: run.jobId,
      claim_id: `claim of ${run.jobId}`,
      run_id: run.id,
      workspace_id: run.workspaceId,
      organization_id: DEFAULT_ORGANIZATION_ID,
      leg,
      attempt: 1,
      runner_id: runnerId,
      claimed_at: at,
      expires_at: leasesEndAt,
    });
  }

  /** What is written besides a change of status, as events before it. */
  async function effects(run: OldRun, [from]: Step, [to, leg]: Step): Promise<[string, object][]> {
    const events: [string, object][] = [];
    const ended = await client.query(
      "update phase set status = 'PASSED', finished_at = $2 where run_id = $1 and status = 'RUNNING' returning id",
      [run.id, at],
    );
    for (const { id } of ended.rows) events.push(["PHASE_CHANGED", { phaseId: id, to: "PASSED" }]);
    if (from === "PLANNING") events.push(["PLAN_READY", { planId: await addPlan(run) }]);
    if (from === "AWAITING_PLAN_APPROVAL" && to === "AWAITING_APPLY_APPROVAL") {
      events.push(["APPROVAL_RECORDED", { approvalId: await addApproval(run, "PLAN") }]);
    }
    if (to === "CONFIRMED") events.push(["APPROVAL_RECORDED", { approvalId: await addApproval(run, "APPLY") }]);
    if (to === "PREPARING") await addJob(run, leg);
    if (STATUS_TRAITS[from].runnerBusy && !STATUS_TRAITS[to].runnerBusy) {
      await client.query("update job set ended_at = $2 where run_id = $1 and ended_at is null", [run.id, at]);
    }
    const kind = phaseOf(to, leg);
    if (kind !== null) {
      const id = newId("phase");
      const { rows } = await client.query("select 1 from phase where run_id = $1 and kind = $2", [run.id, kind]);
      const phase = { id, run_id: run.id, kind, attempt: rows.length + 1, status: "RUNNING", started_at: at };
      await insert("phase", { ...phase, runner_id: STATUS_TRAITS[to].runnerBusy ? runnerId : null });
      events.push(["PHASE_CHANGED", { phaseId: id, to: "RUNNING" }]);
    }
    return events;
  }

  async function walk(run: OldRun, kind: RunKind, steps: readonly Step[]): Promise<void> {
    let version = 0;
    const add = (type: string, data: object, to: RunStatus | null = null) =>
      insert("run_event", {
        run_id: run.id,
        version: ++version,
        type,
        at,
        actor_id: SYSTEM_ACTOR_ID,
        to_status: to,
        data,
      });
    await add("STATUS_CHANGED", { from: null, to: "QUEUED", reason: null }, "QUEUED");
    let from: Step = ["QUEUED", "PLAN"];
    for (const step of steps) {
      const [to, leg, outcome = null] = step;
      for (const [type, data] of await effects(run, from, step)) await add(type, data);
      await add("STATUS_CHANGED", { from: from[0], to, reason: null }, to);
      const busy = STATUS_TRAITS[to].runnerBusy;
      run.sequence = busy && STATUS_TRAITS[from[0]].runnerBusy ? run.sequence + 1 : 0;
      await client.query(
        `update run set status = $2, leg = $3, outcome = $4, version = $5, status_version = $5, status_at = $6,
           holds_workspace = $7, finished_at = $8, failure = $9,
           plan_version = (select count(*) from plan where run_id = $1),
           attempt = (select count(*) from job where run_id = $1 and leg = $3),
           started_at = (select min(claimed_at) from job where run_id = $1)
         where id = $1`,
        [
          run.id,
          to,
          leg,
          outcome,
          version,
          at,
          kind !== "PLAN" && !isTerminal(to),
          isTerminal(to) ? at : null,
          to === "FAILED" ? JSON.stringify(LOST) : null,
        ],
      );
      from = step;
    }
  }

  return {
    async addWorkspace({ paused = false, lock } = {}) {
      const id = newId("workspace");
      await insert("workspace", {
        id,
        organization_id: DEFAULT_ORGANIZATION_ID,
        name: id.slice(3),
        source: { type: "directory", path: "/x" },
        plan_approval: "ALWAYS",
        auto_apply: "NEVER",
        paused,
        lock_reason: lock,
        created_at: at,
        ...(lock !== undefined && { locked_at: at, lock_actor_id: ADMIN_ACTOR_ID, lock_note: "before the upgrade" }),
      });
      return id;
    },
    async addRun(workspaceId, kind, steps) {
      const run = { id: newId("run"), workspaceId, jobId: "", sequence: 0 };
      await client.query("begin");
      const { rows } = await client.query(
        "update workspace set last_run_number = last_run_number + 1 where id = $1 returning last_run_number as number",
        [workspaceId],
      );
      const status = { status: "QUEUED", leg: "PLAN", version: 1, status_version: 1, status_at: at, created_at: at };
      await insert("run", {
        id: run.id,
        organization_id: DEFAULT_ORGANIZATION_ID,
        workspace_id: workspaceId,
        kind,
        ...status,
        number: rows[0].number,
        trigger: "MANUAL",
        created_by: ADMIN_ACTOR_ID,
        source_blob_id: await addBlob("SOURCE", workspaceId),
        variables_sealed: cipher.seal(Buffer.from("[]"), `run/${run.id}/variables`),
      });
      await insert("log_head", { run_id: run.id, last_line: 0 });
      await walk(run, kind, steps);
      await client.query("update job set message_sequence = $2 where id = $1", [run.jobId, run.sequence]);
      await client.query("commit");
      return run;
    },
  };
}

const LOST = {
  stage: "APPLY",
  category: "RUNNER_FAILURE",
  code: "RUNNER_LOST",
  retryable: false,
  summary: "The runner was lost while it applied.",
  message: "Nobody knows how far it got.",
  likelyCause: null,
  evidence: [],
  appliedAddresses: null,
  stateUncertain: true,
};
