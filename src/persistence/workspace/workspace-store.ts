import type { Selectable } from "kysely";
import { AUTO_APPLY_MODES } from "../../model/plan/auto-apply.ts";
import { PLAN_APPROVAL_MODES } from "../../model/lifecycle/run-machine.ts";
import {
  LOCK_SCOPES,
  WORKSPACE_LOCK_REASONS,
  type Workspace,
  type WorkspaceLock,
} from "../../model/workspace/workspace.ts";
import { DEPLOY_SHAPES } from "../../model/workspace/deploy-shape.ts";
import { DEFAULT_DRIFT_SETTINGS } from "../../model/workspace/drift-settings.ts";
import { DEFAULT_ROLLBACK } from "../../model/workspace/rollback-settings.ts";
import { TEST_MODES } from "../../model/workspace/test-mode.ts";
import { DEFAULT_VERIFICATION } from "../../model/workspace/verification-settings.ts";
import { NO_TRIGGER } from "../../model/workspace/workspace-trigger.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { rulesColumns, toRules } from "../organization/rules-columns.ts";
import { eachOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["workspace"]>;

function toLock(row: Row): WorkspaceLock | null {
  const reason = wordOrNull(WORKSPACE_LOCK_REASONS, row.lock_reason);
  if (reason === null || row.locked_at === null) return null;
  return {
    reason,
    runId: row.lock_run_id,
    actorId: row.lock_actor_id,
    note: row.lock_note,
    since: row.locked_at,
    expiresAt: row.lock_expires_at,
  };
}

/** Converts a row to the workspace that it stores. */
export function toWorkspace(row: Row): Workspace {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    source: row.source,
    paused: row.paused,
    planApproval: word(PLAN_APPROVAL_MODES, row.plan_approval),
    autoApply: word(AUTO_APPLY_MODES, row.auto_apply),
    lockScope: word(LOCK_SCOPES, row.lock_scope),
    interruptApply: row.interrupt_apply,
    tasksAllowed: row.tasks_allowed,
    runnerPoolId: row.runner_pool_id,
    runnerLabels: row.runner_labels,
    labels: row.labels,
    hooks: row.hooks,
    trigger: { ...NO_TRIGGER, ...row.trigger },
    rules: toRules(row),
    lock: toLock(row),
    drift: row.drift,
    driftSettings: { ...DEFAULT_DRIFT_SETTINGS, ...row.drift_settings },
    expiresAt: row.expires_at,
    expiryProblem: row.expiry_problem,
    verification: { ...DEFAULT_VERIFICATION, ...row.verification },
    rollback: { ...DEFAULT_ROLLBACK, ...row.rollback },
    tests: word(TEST_MODES, row.tests),
    deployShape: wordOrNull(DEPLOY_SHAPES, row.deploy_shape),
    hasStartCommand: row.has_start_command,
    foundShape: wordOrNull(DEPLOY_SHAPES, row.found_shape),
    foundStartCommand: row.found_start_command,
    takesOutputs: row.takes_outputs,
    stateSerial: row.state_serial,
    createdAt: row.created_at,
  };
}

/** Settings that have defaults of the database. */
type NewSettings = Exclude<
  keyof WorkspaceSettings,
  "name" | "description" | "source" | "paused" | "planApproval" | "autoApply"
>;

/** Throws a unique violation of `workspace_name` where the organization has a workspace of that name. */
export async function insertWorkspace(
  tx: Transaction,
  workspace: Omit<
    Workspace,
    | "foundShape"
    | "foundStartCommand"
    | "lock"
    | "drift"
    | "expiresAt"
    | "expiryProblem"
    | "takesOutputs"
    | "stateSerial"
    | "paused"
    | NewSettings
  > &
    Partial<Pick<Workspace, NewSettings>>,
): Promise<Workspace> {
  const row = await tx.sql
    .insertInto("workspace")
    .values({
      id: workspace.id,
      organization_id: workspace.organizationId,
      project_id: workspace.projectId,
      name: workspace.name,
      description: workspace.description,
      source: JSON.stringify(workspace.source),
      plan_approval: workspace.planApproval,
      auto_apply: workspace.autoApply,
      created_at: workspace.createdAt,
      ...(workspace.lockScope !== undefined && { lock_scope: workspace.lockScope }),
      ...(workspace.interruptApply !== undefined && { interrupt_apply: workspace.interruptApply }),
      ...(workspace.tasksAllowed !== undefined && { tasks_allowed: workspace.tasksAllowed }),
      ...(workspace.runnerPoolId !== undefined && { runner_pool_id: workspace.runnerPoolId }),
      ...(workspace.runnerLabels !== undefined && { runner_labels: workspace.runnerLabels }),
      ...(workspace.labels !== undefined && { labels: workspace.labels }),
      ...(workspace.hooks !== undefined && { hooks: JSON.stringify(workspace.hooks) }),
      ...(workspace.trigger !== undefined && { trigger: JSON.stringify(workspace.trigger) }),
      ...(workspace.driftSettings !== undefined && { drift_settings: JSON.stringify(workspace.driftSettings) }),
      ...(workspace.verification !== undefined && { verification: JSON.stringify(workspace.verification) }),
      ...(workspace.rollback !== undefined && { rollback: JSON.stringify(workspace.rollback) }),
      ...(workspace.rules !== undefined && rulesColumns(workspace.rules)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWorkspace(row);
}

const workspacesById = prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
  db
    .selectFrom("workspace")
    .selectAll()
    .where("id", "in", eachOf(slot("ids")))
    .where("deleted_at", "is", null),
);

export async function findWorkspaces(reader: Reader, ids: readonly string[]): Promise<(Workspace | null)[]> {
  const rows = await workspacesById(reader, { ids });
  return inOrder(ids, rows.map(toWorkspace), (workspace) => workspace.id);
}

/** Finds workspaces, deleted ones included: events and lists still name them. */
export async function findWorkspacesEver(reader: Reader, ids: readonly string[]): Promise<(Workspace | null)[]> {
  const rows = await reader.sql.selectFrom("workspace").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toWorkspace), (workspace) => workspace.id);
}

export async function findWorkspace(reader: Reader, id: string): Promise<Workspace | null> {
  const [workspace = null] = await findWorkspaces(reader, [id]);
  return workspace;
}

/** Finds a workspace by names, in one statement: the number of statements must not show whether the organization exists. */
export async function findWorkspaceByPath(
  reader: Reader,
  organizationSlug: string,
  name: string,
): Promise<Workspace | null> {
  const row = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("organization_id", "=", (organization) =>
      organization.selectFrom("organization").select("organization.id").where("slug", "=", organizationSlug),
    )
    .where("name", "=", name)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : toWorkspace(row);
}

/** Locks the row of a workspace: the first lock of every transaction that changes one of its runs. */
export async function lockWorkspaceRow(tx: Transaction, id: string): Promise<Workspace> {
  const [row] = await lockedRow(tx, { id });
  if (row === undefined) throw new Error(`There is no workspace ${id}.`);
  return toWorkspace(row);
}

const lockedRow = prepared((db, slot: Slot<{ id: string }>) =>
  db.selectFrom("workspace").selectAll().where("id", "=", slot("id")).forNoKeyUpdate(),
);

/** Locks the workspace of a run; `null` if there is no such run, or its workspace was deleted. */
export async function lockWorkspaceOfRun(tx: Transaction, runId: string): Promise<Workspace | null> {
  const [row] = await lockedRowOfRun(tx, { runId });
  return row === undefined ? null : toWorkspace(row);
}

const lockedRowOfRun = prepared((db, slot: Slot<{ runId: string }>) =>
  db
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", (eb) => eb.selectFrom("run").select("workspace_id").where("run.id", "=", slot("runId")))
    .where("deleted_at", "is", null)
    .forNoKeyUpdate(),
);

/** Locks a workspace without waiting; `null` if it is locked or was deleted. */
export async function tryLockWorkspaceRow(tx: Transaction, id: string): Promise<Workspace | null> {
  const row = await tx.sql
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : toWorkspace(row);
}

/** Locks a workspace that a caller names; `null` if it was deleted in the meantime. */
export async function lockKeptWorkspace(tx: Transaction, id: string): Promise<Workspace | null> {
  const [row] = await lockedKeptRow(tx, { id });
  return row === undefined ? null : toWorkspace(row);
}

const lockedKeptRow = prepared((db, slot: Slot<{ id: string }>) =>
  db.selectFrom("workspace").selectAll().where("id", "=", slot("id")).where("deleted_at", "is", null).forNoKeyUpdate(),
);

/** The settings that a person may change. Throws a unique violation of `workspace_name` where the name is in use. */
export type WorkspaceSettings = Pick<
  Workspace,
  | "name"
  | "description"
  | "source"
  | "paused"
  | "planApproval"
  | "autoApply"
  | "lockScope"
  | "interruptApply"
  | "tasksAllowed"
  | "runnerPoolId"
  | "runnerLabels"
  | "labels"
  | "hooks"
  | "trigger"
  | "driftSettings"
  | "verification"
  | "rollback"
  | "tests"
  | "deployShape"
  | "hasStartCommand"
  | "rules"
>;

export async function updateWorkspaceSettings(tx: Transaction, id: string, set: WorkspaceSettings): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({
      name: set.name,
      description: set.description,
      source: JSON.stringify(set.source),
      paused: set.paused,
      plan_approval: set.planApproval,
      auto_apply: set.autoApply,
      lock_scope: set.lockScope,
      interrupt_apply: set.interruptApply,
      tasks_allowed: set.tasksAllowed,
      runner_pool_id: set.runnerPoolId,
      runner_labels: set.runnerLabels,
      labels: set.labels,
      hooks: JSON.stringify(set.hooks),
      trigger: JSON.stringify(set.trigger),
      drift_settings: JSON.stringify(set.driftSettings),
      verification: JSON.stringify(set.verification),
      rollback: JSON.stringify(set.rollback),
      tests: set.tests,
      deploy_shape: set.deployShape,
      has_start_command: set.hasStartCommand,
      ...rulesColumns(set.rules),
    })
    .where("id", "=", id)
    .execute();
}

/** Marks it as deleted. Its rows stay, no query finds it any more, and its name is free. */
export async function deleteWorkspaceRow(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("workspace").set({ deleted_at: at, expiry_due_at: null }).where("id", "=", id).execute();
}

/** Lists all workspaces whose source is a repository of a host. */
export async function listWorkspacesOfRepository(reader: Reader, repositoryId: string): Promise<Workspace[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(toWorkspace);
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
