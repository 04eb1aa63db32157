/** External checks of organizations. */
import type { Selectable } from "kysely";
import { CHECK_STAGES, type ExternalCheck } from "../../model/check/external-check.ts";
import { ENFORCEMENT_LEVELS, POLICY_ERROR_MODES } from "../../model/policy/policy-set.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";
import type { Cipher } from "../installation/cipher.ts";
import { selectsWorkspace } from "../policy/policy-set-store.ts";

type Row = Selectable<Tables["external_check"]>;

function toCheck(row: Row): ExternalCheck {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    url: row.url,
    signed: row.hmac_key_sealed !== null,
    viaPoolId: row.via_pool_id,
    stages: row.stages.map((stage) => word(CHECK_STAGES, stage)),
    level: word(ENFORCEMENT_LEVELS, row.level),
    onError: word(POLICY_ERROR_MODES, row.on_error),
    estimatesCost: row.estimates_cost,
    selector: row.selector,
    progressSeconds: row.progress_seconds,
    totalSeconds: row.total_seconds,
    enabled: row.enabled,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

function owner(id: string): string {
  return `external-check/${id}/hmac-key`;
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("external_check").selectAll().where("deleted_at", "is", null);
}

/** Throws a unique violation of `external_check_name` if the name is in use. */
export async function insertCheck(
  tx: Transaction,
  cipher: Cipher,
  check: ExternalCheck,
  hmacKey: string | null,
): Promise<void> {
  await tx.sql
    .insertInto("external_check")
    .values({
      id: check.id,
      organization_id: check.organizationId,
      created_by: check.createdById,
      created_at: check.createdAt,
      ...settingsOf(check),
      hmac_key_sealed: sealed(cipher, check.id, hmacKey),
    })
    .execute();
}

/**
 * Writes the settings of a check. `hmacKey`: `undefined` keeps it. Throws a unique violation of `external_check_name` if the
 * name is in use.
 */
export async function updateCheckRow(
  tx: Transaction,
  cipher: Cipher,
  check: ExternalCheck,
  hmacKey: string | null | undefined,
): Promise<void> {
  await tx.sql
    .updateTable("external_check")
    .set({
      ...settingsOf(check),
      ...(hmacKey !== undefined && { hmac_key_sealed: sealed(cipher, check.id, hmacKey) }),
    })
    .where("id", "=", check.id)
    .execute();
}

function settingsOf(check: ExternalCheck) {
  return {
    name: check.name,
    url: check.url,
    via_pool_id: check.viaPoolId,
    stages: [...check.stages],
    level: check.level,
    on_error: check.onError,
    estimates_cost: check.estimatesCost,
    selector: JSON.stringify(check.selector),
    progress_seconds: check.progressSeconds,
    total_seconds: check.totalSeconds,
    enabled: check.enabled,
  };
}

function sealed(cipher: Cipher, id: string, hmacKey: string | null): Buffer | null {
  return hmacKey === null ? null : cipher.seal(Buffer.from(hmacKey), owner(id));
}

/** Locks a check; `null` if there is none, or it was deleted. Results of it can still be inserted. */
export async function lockCheck(tx: Transaction, id: string): Promise<ExternalCheck | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toCheck(row);
}

export async function markCheckDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("external_check").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Reads the key that signs requests; `null` if they are not signed. Throws if another master key has sealed it. */
export async function findHmacKey(reader: Reader, cipher: Cipher, id: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("external_check")
    .select("hmac_key_sealed")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.hmac_key_sealed === null ? null : cipher.open(row.hmac_key_sealed, owner(id)).toString();
}

/** Deleted checks are not found. */
export async function findChecks(reader: Reader, ids: readonly string[]): Promise<(ExternalCheck | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toCheck), ({ id }) => id);
}

/** Finds checks, deleted ones included: results still name them. */
export async function findChecksEver(reader: Reader, ids: readonly string[]): Promise<(ExternalCheck | null)[]> {
  const rows = await reader.sql.selectFrom("external_check").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toCheck), ({ id }) => id);
}

/** Lists the checks of each organization, oldest first. */
export async function listChecks(reader: Reader, organizationIds: readonly string[]): Promise<ExternalCheck[][]> {
  const rows = await kept(reader).where("organization_id", "in", organizationIds).orderBy("id").execute();
  return grouped(organizationIds, rows.map(toCheck), ({ organizationId }) => organizationId);
}

/** Lists the enabled checks that are asked about runs of each workspace, oldest first. */
export async function listChecksOfWorkspaces(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<ExternalCheck[][]> {
  const rows = await reader.sql
    .selectFrom("external_check")
    .innerJoin("workspace", "workspace.organization_id", "external_check.organization_id")
    .selectAll("external_check")
    .select("workspace.id as selected_id")
    .where("workspace.id", "in", workspaceIds)
    .where("external_check.enabled", "=", true)
    .where("external_check.deleted_at", "is", null)
    .where(selectsWorkspace("external_check", "workspace"))
    .orderBy("external_check.id")
    .execute();
  const selected = rows.map((row) => ({ workspaceId: row.selected_id, check: toCheck(row) }));
  return grouped(workspaceIds, selected, ({ workspaceId }) => workspaceId).map((group) =>
    group.map(({ check }) => check),
  );
}

/** Lists the names of the checks whose requests are sent by runners of a pool. */
export async function listChecksOfPool(reader: Reader, poolId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("external_check")
    .select("name")
    .where("via_pool_id", "=", poolId)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}
