import { type Selectable, sql } from "kysely";
import type { Repository } from "../../model/repository/repository.ts";
import type { WorkspaceName } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "id",
  "organization_id",
  "git_host_id",
  "name",
  "url",
  "remote_id",
  "default_branch",
  "created_by",
  "created_at",
] as const;
type Row = Pick<Selectable<Tables["repository"]>, (typeof COLUMNS)[number]>;

function toRepository(row: Row): Repository {
  return {
    id: row.id,
    organizationId: row.organization_id,
    gitHostId: row.git_host_id,
    name: row.name,
    url: row.url,
    remoteId: row.remote_id,
    defaultBranch: row.default_branch,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

/** Throws a unique violation of `repository_name` where the host has a repository of that name. Its first look is due. */
export async function insertRepository(tx: Transaction, repository: Repository): Promise<void> {
  const { id, createdAt } = repository;
  await tx.sql
    .insertInto("repository")
    .values({
      id,
      organization_id: repository.organizationId,
      git_host_id: repository.gitHostId,
      name: repository.name,
      url: repository.url,
      created_by: repository.createdById,
      created_at: createdAt,
    })
    .execute();
  await tx.sql.insertInto("repository_look").values({ repository_id: id, next_at: createdAt }).execute();
}

/** Locks the row, unless the repository was deleted. */
export async function lockRepository(tx: Transaction, id: string): Promise<Repository | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toRepository(row);
}

/** Keeps a repository from being deleted until the end of the transaction; `null` if it was deleted. */
export async function holdRepository(tx: Transaction, id: string): Promise<Repository | null> {
  const row = await kept(tx).where("id", "=", id).forShare().executeTakeFirst();
  return row === undefined ? null : toRepository(row);
}

/** Throws a unique violation of `repository_name`. Sources of workspaces follow the address. The row must be locked. */
export async function updateRepositoryRow(
  tx: Transaction,
  { id, name, url, remoteId }: Pick<Repository, "id" | "name" | "url" | "remoteId">,
): Promise<void> {
  await tx.sql.updateTable("repository").set({ name, url, remote_id: remoteId }).where("id", "=", id).execute();
  await tx.sql
    .updateTable("workspace")
    .set({ source: sql`jsonb_set(source, '{url}', to_jsonb(${url}::text))` })
    .where("repository_id", "=", id)
    .execute();
}

export async function setDefaultBranch(tx: Transaction, id: string, branch: string): Promise<void> {
  await tx.sql.updateTable("repository").set({ default_branch: branch }).where("id", "=", id).execute();
}

export async function markRepositoryDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("repository").set({ deleted_at: at }).where("id", "=", id).execute();
  await tx.sql.deleteFrom("git_ref").where("repository_id", "=", id).execute();
  await tx.sql.deleteFrom("repository_look").where("repository_id", "=", id).execute();
}

/** Not those that were deleted. */
export async function findRepositories(reader: Reader, ids: readonly string[]): Promise<(Repository | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toRepository), (repository) => repository.id);
}

/** By name. */
export async function listRepositoriesOfOrganizations(reader: Reader, ids: readonly string[]): Promise<Repository[][]> {
  const rows = await kept(reader).where("organization_id", "in", ids).orderBy("name").orderBy("id").execute();
  return grouped(ids, rows.map(toRepository), (repository) => repository.organizationId);
}

/** Lists those of a host. */
export async function listRepositoriesOfHost(reader: Reader, gitHostId: string): Promise<Repository[]> {
  const rows = await kept(reader).where("git_host_id", "=", gitHostId).orderBy("id").execute();
  return rows.map(toRepository);
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("repository").select(COLUMNS).where("deleted_at", "is", null);
}

export async function countRepositories(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("repository")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns the names of some workspaces whose source names a repository. */
export async function listWorkspacesUsing(
  reader: Reader,
  repositoryId: string,
  limit: number,
): Promise<WorkspaceName[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .select(["id", "organization_id", "project_id", "name"])
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    name: row.name,
  }));
}
