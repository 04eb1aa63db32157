/** The candidates of inboxes are those that a walk over all rows finds. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstIdAt } from "../../src/model/kit/id.ts";
import { isTerminal, RUN_STATUSES, STATUS_TRAITS } from "../../src/model/lifecycle/run-status.ts";
import { type CallerScope, EVERYTHING, NOTHING } from "../../src/model/people/permission.ts";
import { INBOX_REASONS, inboxEntry, type InboxReason } from "../../src/model/run/inbox.ts";
import { type InboxCandidate, listInboxCandidates } from "../../src/persistence/run/inbox-store.ts";
import { createRandom } from "../support/random.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

const NOW = Date.parse("2026-06-15T12:00:00.000Z");
const DAY = 24 * 60 * 60 * 1000;
const RUNS = 600;
const iso = (at: number): string => new Date(at).toISOString();

interface World {
  workspaces: {
    id: string;
    organizationId: string;
    projectId: string;
    isDeleted: boolean;
    interruptedRun: string | null;
  }[];
  runs: {
    id: string;
    workspace: number;
    status: (typeof RUN_STATUSES)[number];
    at: number;
    endedAt: number;
    createdBy: string;
    hidden: boolean;
    stages: number;
    isEscalated: boolean;
  }[];
  recovered: { runId: string; at: number; isDecided: boolean }[];
}

let stores: Stores;
let world: World;

/** Three organizations with four workspaces each; the second workspace of each is deleted. */
function makeWorld(): World {
  const random = createRandom(20_260_615);
  const pick = <T>(list: readonly T[]): T => {
    const one = random.pick(list);
    if (one === undefined) throw new Error("There is nothing to pick.");
    return one;
  };
  const workspaces: World["workspaces"] = ["org_a", "org_b", "org_c"].flatMap((organizationId) =>
    [0, 1, 2, 3].map((n) => ({
      id: `ws_${organizationId}_${n}`,
      organizationId,
      projectId: `prj_${organizationId}_${n % 2}`,
      isDeleted: n === 1,
      interruptedRun: null,
    })),
  );
  const runs: World["runs"] = Array.from({ length: RUNS }, (_, n) => {
    const at = NOW - 30 * DAY + Math.floor((n / RUNS) * 30 * DAY);
    return {
      id: firstIdAt("run", at).slice(0, -6) + String(n).padStart(6, "0"),
      workspace: random.below(workspaces.length),
      status: pick(random.chance(0.3) ? RUN_STATUSES : (["FAILED", "AWAITING_PLAN_APPROVAL", "FINISHED"] as const)),
      at,
      endedAt: at,
      createdBy: pick(["usr_a", "usr_b"]),
      hidden: random.chance(0.05),
      stages: random.chance(0.25) ? 1 : 0,
      isEscalated: random.chance(0.3),
    };
  });
  for (const workspace of workspaces)
    workspace.interruptedRun = random.chance(0.5)
      ? pick(runs.filter((run) => workspaces[run.workspace] === workspace)).id
      : null;
  const recovered = Array.from({ length: 40 }, (_, n) => ({
    runId: pick(runs).id,
    at: NOW - n * 1000,
    isDecided: n % 2 === 0,
  }));
  // The only run of a workspace, which failed two months after it was created.
  const at = NOW - 60 * DAY;
  const old = {
    id: "ws_old",
    organizationId: "org_a",
    projectId: "prj_org_a_1",
    isDeleted: false,
    interruptedRun: null,
  };
  runs.unshift({
    id: firstIdAt("run", at),
    workspace: workspaces.push(old) - 1,
    status: "FAILED",
    at,
    endedAt: NOW - DAY,
    createdBy: "usr_b",
    hidden: false,
    stages: 0,
    isEscalated: false,
  });
  return { workspaces, runs, recovered };
}

async function store({ workspaces, runs, recovered }: World): Promise<void> {
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    for (const id of ["org_a", "org_b", "org_c"]) {
      const rules = id === "org_c" ? JSON.stringify([{ name: "two" }]) : "[]";
      await sql`insert into organization (id, slug, name, created_at, approval_rules)
        values (${id}, ${id.replace("_", "-")}, ${id}, now(), ${rules}::jsonb)`.execute(tx.sql);
    }
    for (const w of workspaces) {
      const [reason, run, at] =
        w.interruptedRun === null ? [null, null, null] : ["APPLY_INTERRUPTED", w.interruptedRun, iso(NOW)];
      await sql`insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at, deleted_at,
          lock_reason, lock_run_id, locked_at)
        values (${w.id}, ${w.organizationId}, ${w.projectId}, ${w.id}, '{}', 'ALWAYS', 'NEVER', now(),
          ${w.isDeleted ? iso(NOW) : null}, ${reason}, ${run}, ${at})`.execute(tx.sql);
    }
    for (const [number, run] of runs.entries()) {
      const w = workspaces[run.workspace];
      const at = iso(run.at);
      const ended = isTerminal(run.status) ? iso(run.endedAt) : null;
      await sql`insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
          variables_sealed, version, status_version, created_at, status_at, finished_at, hidden, stage_count, escalated_at)
        values (${run.id}, ${w?.organizationId}, ${w?.projectId}, ${w?.id}, ${number}, 'DEPLOY', ${run.status}, 'PLAN', 'MANUAL',
          ${run.createdBy}, '', 1, 1, ${at}, ${at}, ${ended}, ${run.hidden}, ${run.stages}, ${run.isEscalated ? at : null})`.execute(
        tx.sql,
      );
    }
    for (const [n, { runId, at, isDecided }] of recovered.entries()) {
      const [decision, by, decidedAt] = isDecided ? ["ADOPTED", "usr_a", iso(at)] : [null, null, null];
      await sql`insert into recovered_state (id, workspace_id, run_id, job_id, runner_id, blob_id, digest, size, serial, lineage,
          outputs, resource_count, received_at, decision, decided_by, decided_at)
        values (${`rec_${n}`}, 'ws', ${runId}, ${`job_${n}`}, 'r', 'b', 'd', 1, 1, 'l', '[]', 0, ${iso(at)}, ${decision}, ${by}, ${decidedAt})`.execute(
        tx.sql,
      );
    }
  });
}

beforeAll(async () => {
  stores = await openStores();
  world = makeWorld();
  await store(world);
});
afterAll(() => stores[Symbol.asyncDispose]());

type Workspace = World["workspaces"][number];

function isIn(scope: CallerScope, workspace: Workspace): boolean {
  if (scope.type !== "some") return scope.type === "everything";
  const isInherited = scope.organizationIds === "ALL" || scope.organizationIds.includes(workspace.organizationId);
  return (
    (isInherited && !scope.hiddenProjectIds.includes(workspace.projectId)) ||
    scope.projectIds.includes(workspace.projectId) ||
    scope.workspaceIds.includes(workspace.id)
  );
}

/** What the statement should find, run by run. */
function expected(shown: CallerScope, planning: CallerScope, failedAfter: number): InboxCandidate[] {
  const found = world.runs.flatMap((run, index): InboxCandidate[] => {
    const workspace = world.workspaces[run.workspace];
    if (workspace === undefined || workspace.isDeleted || run.hidden || !isIn(shown, workspace)) return [];
    const { gate } = STATUS_TRAITS[run.status];
    const open = world.recovered.filter(({ runId, isDecided }) => runId === run.id && !isDecided).map(({ at }) => at);
    const hasLater = world.runs.slice(index + 1).some((later) => later.workspace === run.workspace);
    const isFailed = ["FAILED", "TIMED_OUT"].includes(run.status) && run.endedAt > failedAfter && !hasLater;
    const facts = {
      runId: run.id,
      atGate: gate === null ? null : { gate, since: iso(run.at) },
      escalatedAt: run.isEscalated ? iso(run.at) : null,
      interruptedAt: workspace.interruptedRun === run.id ? iso(NOW) : null,
      recoveredAt: open.length === 0 ? null : iso(Math.min(...open)),
      failedAt: isFailed ? iso(run.endedAt) : null,
      createdById: run.createdBy,
      version: 1,
      isApprover: gate === "PLAN" && isIn(planning, workspace),
      isOpenGate: workspace.organizationId !== "org_c" && run.stages === 0,
    };
    return inboxEntry(facts, "usr_a", facts.isApprover) === null ? [] : [facts];
  });
  return found.toSorted((a, b) => Number(b.isApprover) - Number(a.isApprover));
}

const some = (more: Partial<Extract<CallerScope, { type: "some" }>>): CallerScope => ({
  type: "some",
  organizationIds: [],
  hiddenProjectIds: [],
  projectIds: [],
  workspaceIds: [],
  ...more,
});
const SCOPES: CallerScope[] = [
  EVERYTHING,
  NOTHING,
  some({ organizationIds: ["org_a", "org_c"] }),
  some({ organizationIds: "ALL", hiddenProjectIds: ["prj_org_a_0"] }),
  some({ projectIds: ["prj_org_b_1"], workspaceIds: ["ws_org_a_0"] }),
];

test.each(SCOPES.flatMap((shown) => SCOPES.map((planning) => [shown, planning] as const)))(
  "shown %j, approving %j",
  async (shown, planning) => {
    const failedAfter = NOW - 7 * DAY;
    const found = await listInboxCandidates(stores.database, {
      shown,
      approving: { PLAN: planning, APPLY: NOTHING },
      reasons: INBOX_REASONS,
      failedAfter: iso(failedAfter),
      limit: 10_000,
    });
    expect(found).toEqual(expected(shown, planning, failedAfter));
    if (shown.type !== "nothing") expect(found.length).toBeGreaterThan(0);
  },
);

test("each reason is among them, and a limit cuts no approval off before the others", async () => {
  const ask = {
    reasons: INBOX_REASONS,
    shown: EVERYTHING,
    approving: { PLAN: some({ organizationIds: ["org_a"] }), APPLY: NOTHING },
  };
  const failedAfter = iso(NOW - 7 * DAY);
  const all = await listInboxCandidates(stores.database, { ...ask, failedAfter, limit: 10_000 });
  const reasons = new Set(
    ["usr_a", "usr_z"].flatMap((actor) => all.map((facts) => inboxEntry(facts, actor, facts.isApprover)?.reason)),
  );
  expect(reasons).toEqual(
    new Set([
      "ESCALATED",
      "FAILED",
      "OTHERS_APPROVAL",
      "RECOVERED_STATE",
      "STATE_UNKNOWN",
      "YOUR_APPROVAL",
      "YOUR_RUN",
    ]),
  );
  const approvable = all.filter(({ isApprover }) => isApprover);
  const limit = approvable.length + 3;
  const first = await listInboxCandidates(stores.database, { ...ask, failedAfter, limit });
  expect(first).toEqual(all.slice(0, limit));
  // Others are older: by age alone, the newest approval would be cut off.
  const newest = approvable.at(-1)?.runId ?? "";
  expect(all.filter(({ runId }) => runId < newest).length).toBeGreaterThan(limit);
  expect(first.map(({ runId }) => runId)).toContain(newest);
});

test.each<InboxReason[]>([...INBOX_REASONS.map((reason) => [reason]), ["STATE_UNKNOWN", "FAILED"], []])(
  "%s %s: every run that can have it, and no part that cannot",
  async (...reasons) => {
    const ask = { shown: EVERYTHING, approving: { PLAN: some({ organizationIds: ["org_a"] }), APPLY: NOTHING } };
    const failedAfter = NOW - 7 * DAY;
    const ofReason = (found: readonly InboxCandidate[]): unknown[] =>
      found
        .map((facts) => inboxEntry(facts, "usr_a", facts.isApprover))
        .filter((entry) => entry !== null && reasons.includes(entry.reason));
    const found = await listInboxCandidates(stores.database, {
      ...ask,
      reasons,
      failedAfter: iso(failedAfter),
      limit: 10_000,
    });
    const all = expected(ask.shown, ask.approving.PLAN, failedAfter);
    expect(ofReason(found)).toEqual(ofReason(all));
    expect(found.length).toBeLessThan(all.length);
  },
);
