/** Stores which files of a repository the engine reads for each workspace. */
import { sql } from "kysely";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** Inserts the inputs of a workspace, unless they are known. */
export async function insertSourceInputs(
  tx: Transaction,
  workspaceId: string,
  { digest, commit, folders, paths, unresolved }: SourceInputs,
  at: string,
): Promise<void> {
  await tx.sql
    .insertInto("source_inputs")
    .values({ workspace_id: workspaceId, digest, commit, folders, paths, unresolved, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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

/** Adds folders that the engine of a run read and that were not expected. */
export async function insertReportedFolders(
  tx: Transaction,
  { workspaceId, runId, at }: { workspaceId: string; runId: string; at: string },
  paths: readonly string[],
): Promise<void> {
  await tx.sql
    .insertInto("reported_folder")
    .values(paths.map((path) => ({ workspace_id: workspaceId, path, run_id: runId, reported_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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
