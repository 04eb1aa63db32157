/** Stores which files of a repository the engine reads for each workspace. */
import { sql } from "kysely";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";

/**
 * Stores the inputs of a workspace. The same files may be there for another reason than before: the newest reason is
 * shown.
 */
export async function upsertSourceInputs(
  tx: Transaction,
  workspaceId: string,
  { digest, commit, folders, paths, unresolved }: SourceInputs,
  at: string,
): Promise<void> {
  await tx.sql
    .insertInto("source_inputs")
    .values({ workspace_id: workspaceId, digest, commit, folders, paths, unresolved, created_at: at })
    .onConflict((conflict) => conflict.columns(["workspace_id", "digest"]).doUpdateSet({ folders, paths, unresolved }))
    .execute();
}

/** Stores the inputs of workspaces, each as `upsertSourceInputs` does. */
export async function upsertInputsOfWorkspaces(
  tx: Transaction,
  read: ReadonlyMap<string, SourceInputs>,
  at: string,
): Promise<void> {
  if (read.size === 0) return;
  // In order, so that two writers of the same rows cannot wait for each other.
  const rows = [...read].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await tx.sql
    .insertInto("source_inputs")
    .values(rows.map(([workspaceId, inputs]) => ({ workspace_id: workspaceId, ...inputs, created_at: at })))
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "digest"]).doUpdateSet((eb) => ({
        folders: eb.ref("excluded.folders"),
        paths: eb.ref("excluded.paths"),
        unresolved: eb.ref("excluded.unresolved"),
      })),
    )
    .execute();
}

/** Inputs of a workspace, by their digest. */
export interface InputsKey {
  workspaceId: string;
  digest: string;
}

/** Finds inputs by workspace and digest, each with the first commit that had them. */
export async function findSourceInputs(reader: Reader, keys: readonly InputsKey[]): Promise<(SourceInputs | null)[]> {
  if (keys.length === 0) return [];
  const rows = await reader.sql
    .selectFrom("source_inputs")
    .select(["workspace_id", "digest", "commit", "folders", "paths", "unresolved"])
    .where(
      "workspace_id",
      "in",
      keys.map(({ workspaceId }) => workspaceId),
    )
    .where(
      "digest",
      "in",
      keys.map(({ digest }) => digest),
    )
    .execute();
  const found = new Map(rows.map(({ workspace_id, ...inputs }) => [`${workspace_id} ${inputs.digest}`, inputs]));
  return keys.map(({ workspaceId, digest }) => found.get(`${workspaceId} ${digest}`) ?? null);
}

/** Reads the inputs of runs, with the commit of each; `null` for runs whose source is no repository. */
export async function findInputsOfRuns(reader: Reader, runIds: readonly string[]): Promise<(SourceInputs | null)[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .innerJoin("source_inputs as inputs", (join) =>
      join.onRef("inputs.workspace_id", "=", "run.workspace_id").onRef("inputs.digest", "=", "run.inputs_digest"),
    )
    .select(["run.id", "run.revision", "inputs.digest", "inputs.commit"])
    .select(["inputs.folders", "inputs.paths", "inputs.unresolved"])
    .where("run.id", "in", runIds)
    .execute();
  return inOrder(runIds, rows, ({ id }) => id).map((row) => {
    if (row === null) return null;
    const { digest, commit, revision, folders, paths, unresolved } = row;
    return { digest, commit: revision ?? commit, folders, paths, unresolved };
  });
}

/** A folder of a repository, and the workspace that has it as its own. */
export interface WorkspaceFolder {
  workspaceId: string;
  path: string;
}

/** Lists the folders of all workspaces of an organization whose sources are in one repository. */
export async function listFoldersOfRepository(
  reader: Reader,
  organizationId: string,
  url: string,
): Promise<WorkspaceFolder[]> {
  return reader.sql
    .selectFrom("workspace")
    .select(["id as workspaceId", sql<string>`source ->> 'path'`.as("path")])
    .where(sql<boolean>`source ->> 'type' = 'git'`)
    .where(sql<string>`source ->> 'url'`, "=", url)
    .where("deleted_at", "is", null)
    .where("organization_id", "=", organizationId)
    .execute();
}

/**
 * Adds those of the folders that the inputs of the run do not have. Nothing is added if its source is no repository.
 * Folders that other runs reported stay theirs.
 */
export async function insertReportedFolders(
  tx: Transaction,
  { runId, at }: { runId: string; at: string },
  paths: readonly string[],
): Promise<void> {
  await sql`
    insert into reported_folder (workspace_id, path, run_id, reported_at)
    select run.workspace_id, folder, run.id, ${at}::timestamptz
    from run join source_inputs inputs on inputs.workspace_id = run.workspace_id and inputs.digest = run.inputs_digest
    cross join unnest(${paths}::text[]) as folder
    where run.id = ${runId} and folder <> all (inputs.folders)
    on conflict do nothing`.execute(tx.sql);
}

/** Lists by run the folders that its engine was the first to report. */
export async function listFoldersReportedBy(reader: Reader, runIds: readonly string[]): Promise<string[][]> {
  const rows = await reader.sql
    .selectFrom("run")
    .innerJoin("reported_folder as reported", (join) =>
      join.onRef("reported.workspace_id", "=", "run.workspace_id").onRef("reported.run_id", "=", "run.id"),
    )
    .select(["run.id", "reported.path"])
    .where("run.id", "in", runIds)
    .orderBy("reported.path")
    .execute();
  return grouped(runIds, rows, ({ id }) => id).map((found) => found.map(({ path }) => path));
}

/** Lists the reported folders of workspaces. */
export async function listReportedFolders(reader: Reader, workspaceIds: readonly string[]): Promise<WorkspaceFolder[]> {
  return reader.sql
    .selectFrom("reported_folder")
    .select(["workspace_id as workspaceId", "path"])
    .where("workspace_id", "in", workspaceIds)
    .orderBy("path")
    .execute();
}
