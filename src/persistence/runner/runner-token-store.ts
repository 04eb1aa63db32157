import type { Selectable } from "kysely";
import type { Placed } from "../../model/people/place.ts";
import type { RunnerToken } from "../../model/runner/runner.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<Selectable<Tables["runner_token"]>, "secret_hash" | "revoked_at">;

const COLUMNS = ["id", "pool_id", "name", "created_by", "created_at", "expires_at", "last_used_at"] as const;

function toRunnerToken(row: Row): RunnerToken {
  return {
    id: row.id,
    poolId: row.pool_id,
    name: row.name,
    createdById: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}

function live(reader: Reader) {
  return reader.sql.selectFrom("runner_token").select(COLUMNS).where("revoked_at", "is", null);
}

/** `secretHash`: SHA-256 of the secret. Throws a unique violation of `runner_token_name` where the name is in use. */
export async function insertRunnerToken(tx: Transaction, token: RunnerToken, secretHash: Buffer): Promise<void> {
  await tx.sql
    .insertInto("runner_token")
    .values({
      id: token.id,
      pool_id: token.poolId,
      name: token.name,
      secret_hash: secretHash,
      created_by: token.createdById,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute();
}

/** The token with that secret, unless it was revoked or had expired at `at`, or its pool was deleted. */
export async function findRunnerTokenBySecret(
  reader: Reader,
  secretHash: Buffer,
  at: string,
): Promise<Pick<RunnerToken, "id" | "poolId" | "lastUsedAt"> | null> {
  const row = await reader.sql
    .selectFrom("runner_token")
    .innerJoin("runner_pool", "runner_pool.id", "runner_token.pool_id")
    .select(["runner_token.id", "pool_id", "last_used_at"])
    .where("secret_hash", "=", secretHash)
    .where("revoked_at", "is", null)
    .where("runner_pool.deleted_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", at)]))
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, poolId: row.pool_id, lastUsedAt: row.last_used_at };
}

export async function touchRunnerToken(reader: Reader, id: string, at: string): Promise<void> {
  await reader.sql.updateTable("runner_token").set({ last_used_at: at }).where("id", "=", id).execute();
}

export async function findRunnerTokens(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<RunnerToken> | null)[]> {
  const rows = await live(reader)
    .select((eb) =>
      eb
        .selectFrom("runner_pool")
        .select("organization_id")
        .whereRef("runner_pool.id", "=", "runner_token.pool_id")
        .as("organization_id"),
    )
    .where("id", "in", ids)
    .execute();
  const tokens = rows.map((row) => ({
    ...toRunnerToken(row),
    organizationId: row.organization_id,
    projectId: null,
    workspaceId: null,
  }));
  return inOrder(ids, tokens, (token) => token.id);
}

/** Oldest first, those that have expired included. */
export async function listRunnerTokens(reader: Reader, poolIds: readonly string[]): Promise<RunnerToken[][]> {
  const rows = await live(reader).where("pool_id", "in", poolIds).orderBy("id").execute();
  return grouped(poolIds, rows.map(toRunnerToken), (token) => token.poolId);
}

/** Whether there was such a token that held. */
export async function revokeRunnerTokenRow(tx: Transaction, id: string, at: string): Promise<boolean> {
  const result = await tx.sql
    .updateTable("runner_token")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
