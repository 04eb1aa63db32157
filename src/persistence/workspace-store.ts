import { type Selectable, sql } from "kysely";
import { AUTO_APPLY_MODES } from "../model/auto-apply.ts";
import { type Page, type PageRequest, toPage } from "../model/page.ts";
import { PLAN_APPROVAL_MODES } from "../model/run-machine.ts";
import { RUN_OUTCOMES } from "../model/run-kind.ts";
import { GATE_STATUSES, LIVE_STATUSES, RUN_STATUSES } from "../model/run-status.ts";
import {
  type DeploymentFacts,
  WORKSPACE_LOCK_REASONS,
  type Workspace,
  type WorkspaceLock,
} from "../model/workspace.ts";
import { word, wordOrNull } from "./closed-set.ts";
import type { Reader, Transaction } from "./database.ts";
import { inOrder } from "./group.ts";
import type { Tables } from "./tables.ts";

type Row = Selectable<Tables["workspace"]>;

function toLock(row: Row): WorkspaceLock | null {
  const reason = wordOrNull(WORKSPACE_LOCK_REASONS, row.lock_reason);
  if (reason === null || row.locked_at === null) return null;
  return { reason, runId: row.lock_run_id, actorId: row.lock_actor_id, note: row.lock_note, since: row.locked_at };
}

function toWorkspace(row: Row): Workspace {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    source: row.source,
    paused: row.paused,
    planApproval: word(PLAN_APPROVAL_MODES, row.plan_approval),
    autoApply: word(AUTO_APPLY_MODES, row.auto_apply),
    lock: toLock(row),
    stateSerial: row.state_serial,
  };
}

/** Throws a unique violation of `workspace_name` where the organization has a workspace of that name. */
export async function insertWorkspace(
  tx: Transaction,
  workspace: Omit<Workspace, "lock" | "stateSerial" | "paused"> & { createdAt: string },
): Promise<Workspace> {
  const row = await tx.sql
    .insertInto("workspace")
    .values({
      id: workspace.id,
      organization_id: workspace.organizationId,
      name: workspace.name,
      description: workspace.description,
      source: JSON.stringify(workspace.source),
      plan_approval: workspace.planApproval,
      auto_apply: workspace.autoApply,
      created_at: workspace.createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWorkspace(row);
}

export async function findWorkspaces(reader: Reader, ids: readonly string[]): Promise<(Workspace | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return inOrder(ids, rows.map(toWorkspace), (workspace) => workspace.id);
}

export async function findWorkspace(reader: Reader, id: string): Promise<Workspace | null> {
  const [workspace = null] = await findWorkspaces(reader, [id]);
  return workspace;
}

export async function findWorkspaceByName(
  reader: Reader,
  organizationId: string,
  name: string,
): Promise<Workspace | null> {
  const row = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("name", "=", name)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : toWorkspace(row);
}

/** By name; positions are names. `search` is a part of the name. */
export async function listWorkspaces(
  reader: Reader,
  organizationId: string,
  search: string | null,
  page: PageRequest<string>,
): Promise<Page<Workspace>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .$if(search !== null, (q) => q.where(sql<boolean>`strpos(name, ${search}) > 0`))
    .$if(after !== null, (q) => q.where("name", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("name", "<", before ?? ""))
    .orderBy("name", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toWorkspace));
}

/** Locks the row of a workspace: the first lock of every transaction that changes one of its runs. */
export async function lockWorkspaceRow(tx: Transaction, id: string): Promise<Workspace> {
  const row = await tx.sql
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return toWorkspace(row);
}

/** The number of the next run; the row must be locked. */
export async function takeRunNumber(tx: Transaction, workspaceId: string): Promise<number> {
  const row = await tx.sql
    .updateTable("workspace")
    .set((eb) => ({ last_run_number: eb("last_run_number", "+", 1) }))
    .where("id", "=", workspaceId)
    .returning("last_run_number")
    .executeTakeFirstOrThrow();
  return row.last_run_number;
}

export async function setWorkspaceLock(tx: Transaction, id: string, lock: WorkspaceLock | null): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({
      lock_reason: lock?.reason ?? null,
      lock_run_id: lock?.runId ?? null,
      lock_actor_id: lock?.actorId ?? null,
      lock_note: lock?.note ?? null,
      locked_at: lock?.since ?? null,
    })
    .where("id", "=", id)
    .execute();
}

export async function setWorkspaceState(
  tx: Transaction,
  id: string,
  state: { serial: number; lineage: string },
): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({ state_serial: state.serial, state_lineage: state.lineage })
    .where("id", "=", id)
    .execute();
}

const DEPLOYING_KINDS = ["DEPLOY", "DESTROY", "APPLY"] as const;
const AT_WORK = LIVE_STATUSES.filter((status) => !GATE_STATUSES.includes(status));

/** What the deployment status of each workspace is derived from. */
export async function deploymentFacts(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(DeploymentFacts | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("run")
          .select(["run.status", "run.outcome"])
          .whereRef("run.workspace_id", "=", "workspace.id")
          .where("run.kind", "in", DEPLOYING_KINDS)
          .where("run.finished_at", "is not", null)
          .where((or) =>
            or.or([or("run.applying_at", "is not", null), or("run.status", "in", ["FAILED", "TIMED_OUT"])]),
          )
          .orderBy("run.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      "workspace.id",
      "workspace.paused",
      "last.status",
      "last.outcome",
      eb
        .exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace.id")
            .where("run.finished_at", "is", null)
            .where("run.kind", "in", DEPLOYING_KINDS)
            .where("run.status", "in", AT_WORK),
        )
        .as("deploying"),
      eb
        .exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace.id")
            .where("run.applied_at", "is not", null),
        )
        .as("applied"),
    ])
    .where("workspace.id", "in", workspaceIds)
    .execute();
  const facts = inOrder(workspaceIds, rows, (row) => row.id);
  return facts.map((row) =>
    row === null
      ? null
      : {
          paused: row.paused,
          deploying: Boolean(row.deploying),
          applied: Boolean(row.applied),
          last:
            row.status === null
              ? null
              : { status: word(RUN_STATUSES, row.status), outcome: wordOrNull(RUN_OUTCOMES, row.outcome) },
        },
  );
}
