import { sql } from "kysely";
import type { FollowedRefs } from "../../model/repository/look.ts";
import { NO_TRIGGER, type WorkspaceTrigger } from "../../model/workspace/workspace-trigger.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Returns the branches and tags that workspaces of a repository follow, and the settings by which they do. */
export async function findFollowedRefs(
  reader: Reader,
  repositoryId: string,
): Promise<FollowedRefs & { triggers: Pick<WorkspaceTrigger, "branch" | "tags">[] }> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .select(["source", "trigger"])
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .execute();
  const branches = new Set<string>();
  const triggers = [];
  let tags = false;
  for (const { source, trigger } of rows) {
    const followed = { ...NO_TRIGGER, ...trigger };
    triggers.push({ branch: followed.branch, tags: followed.tags });
    if (source.type === "git") branches.add(followed.branch ?? source.branch);
    tags ||= followed.tags !== null;
  }
  return { branches: [...branches].toSorted(), tags, triggers };
}

/** Returns the refs of a repository as they were last seen; `null`: followed, and not there. */
export async function listGitRefs(reader: Reader, repositoryId: string): Promise<Map<string, string | null>> {
  const rows = await reader.sql
    .selectFrom("git_ref")
    .select(["ref", "oid"])
    .where("repository_id", "=", repositoryId)
    .execute();
  return new Map(rows.map(({ ref, oid }) => [ref, oid]));
}

/** Remembers refs. */
export async function setGitRefs(
  tx: Transaction,
  repositoryId: string,
  refs: readonly { ref: string; oid: string | null }[],
  at: string,
): Promise<void> {
  if (refs.length === 0) return;
  const [names, oids] = [refs.map(({ ref }) => ref), refs.map(({ oid }) => oid)];
  await sql`
    insert into git_ref (repository_id, ref, oid, seen_at)
    select ${repositoryId}, seen.ref, seen.oid, ${at}::timestamptz
      from unnest(${names}::text[], ${oids}::text[]) seen(ref, oid)
    on conflict (repository_id, ref) do update set oid = excluded.oid, seen_at = excluded.seen_at`.execute(tx.sql);
}

export async function forgetGitRefs(tx: Transaction, repositoryId: string, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  await sql`delete from git_ref where repository_id = ${repositoryId} and ref = any(${refs})`.execute(tx.sql);
}
