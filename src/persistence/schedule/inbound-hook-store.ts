import type { Selectable } from "kysely";
import { INBOUND_KINDS, type InboundHook } from "../../model/schedule/inbound-hook.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";
import type { Cipher } from "../installation/cipher.ts";

const COLUMNS = [
  "id",
  "organization_id",
  "name",
  "workspace_ids",
  "kind",
  "mapping",
  "owner_id",
  "created_at",
  "last_at",
  "last_problem",
] as const;

function toHook(row: Pick<Selectable<Tables["inbound_hook"]>, (typeof COLUMNS)[number]>): InboundHook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    workspaceIds: row.workspace_ids,
    kind: word(INBOUND_KINDS, row.kind),
    mapping: row.mapping,
    ownerId: row.owner_id,
    createdAt: row.created_at,
    lastAt: row.last_at,
    lastProblem: row.last_problem,
  };
}

function owner(id: string): string {
  return `inbound-hook/${id}/secret`;
}

export async function insertInboundHook(
  tx: Transaction,
  cipher: Cipher,
  hook: InboundHook,
  secret: string,
): Promise<void> {
  await tx.sql
    .insertInto("inbound_hook")
    .values({
      id: hook.id,
      organization_id: hook.organizationId,
      name: hook.name,
      workspace_ids: [...hook.workspaceIds],
      kind: hook.kind,
      mapping: JSON.stringify(hook.mapping),
      secret_sealed: cipher.seal(Buffer.from(secret), owner(hook.id)),
      owner_id: hook.ownerId,
      created_at: hook.createdAt,
    })
    .execute();
}

/** Stores what a person sets of a hook, and its owner. */
export async function updateInboundHookRow(tx: Transaction, hook: InboundHook): Promise<void> {
  await tx.sql
    .updateTable("inbound_hook")
    .set({
      name: hook.name,
      workspace_ids: [...hook.workspaceIds],
      kind: hook.kind,
      mapping: JSON.stringify(hook.mapping),
      owner_id: hook.ownerId,
    })
    .where("id", "=", hook.id)
    .execute();
}

/** Locks a hook; `null` if there is none, or it was deleted. */
export async function lockInboundHook(tx: Transaction, id: string): Promise<InboundHook | null> {
  const row = await tx.sql
    .selectFrom("inbound_hook")
    .select(COLUMNS)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toHook(row);
}

export async function findInboundHooks(reader: Reader, ids: readonly string[]): Promise<(InboundHook | null)[]> {
  const rows = await reader.sql
    .selectFrom("inbound_hook")
    .select(COLUMNS)
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return inOrder(ids, rows.map(toHook), ({ id }) => id);
}

/** The hooks of each organization, oldest first. */
export async function listInboundHooks(reader: Reader, organizationIds: readonly string[]): Promise<InboundHook[][]> {
  const rows = await reader.sql
    .selectFrom("inbound_hook")
    .select(COLUMNS)
    .where("organization_id", "in", organizationIds)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return grouped(organizationIds, rows.map(toHook), ({ organizationId }) => organizationId);
}

/** Finds a hook with the secrets that are good at an instant; `null` if there is none. */
export async function findHookWithSecrets(
  reader: Reader,
  cipher: Cipher,
  id: string,
  at: string,
): Promise<{ hook: InboundHook; secrets: string[] } | null> {
  const row = await reader.sql
    .selectFrom("inbound_hook")
    .select([...COLUMNS, "secret_sealed", "former_secret_sealed", "former_secret_until"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const isFormerGood = row.former_secret_until !== null && row.former_secret_until > at;
  const sealed = [
    row.secret_sealed,
    ...(isFormerGood && row.former_secret_sealed !== null ? [row.former_secret_sealed] : []),
  ];
  return { hook: toHook(row), secrets: sealed.map((one) => cipher.open(one, owner(id)).toString()) };
}

/** Replaces the secret. `formerUntil`: until when the former one is good; `null`: it ends now. */
export async function replaceInboundSecret(
  tx: Transaction,
  cipher: Cipher,
  id: string,
  { secret, formerUntil }: { secret: string; formerUntil: string | null },
): Promise<void> {
  await tx.sql
    .updateTable("inbound_hook")
    .set((eb) => ({
      secret_sealed: cipher.seal(Buffer.from(secret), owner(id)),
      former_secret_sealed: formerUntil === null ? null : eb.ref("secret_sealed"),
      former_secret_until: formerUntil,
    }))
    .where("id", "=", id)
    .execute();
}

export async function markInboundHookDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("inbound_hook").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Finds the changeset of a delivery; `null`: it was accepted and had none; `undefined`: it was not accepted before. */
export async function findDelivery(
  reader: Reader,
  hookId: string,
  deliveryId: string,
): Promise<string | null | undefined> {
  const row = await reader.sql
    .selectFrom("inbound_delivery")
    .select("changeset_id")
    .where("hook_id", "=", hookId)
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirst();
  return row === undefined ? undefined : row.changeset_id;
}

/** Notes an accepted delivery, and forgets those before an instant. The hook's row must be locked. */
export async function recordDelivery(
  tx: Transaction,
  hookId: string,
  delivery: { id: string; at: string; changesetId: string | null; problem: string | null; keptSince: string },
): Promise<void> {
  const { id, at, changesetId, problem, keptSince } = delivery;
  await tx.sql
    .insertInto("inbound_delivery")
    .values({ hook_id: hookId, delivery_id: id, at, changeset_id: changesetId })
    .execute();
  await tx.sql
    .updateTable("inbound_hook")
    .set({ last_at: at, last_problem: problem })
    .where("id", "=", hookId)
    .execute();
  await tx.sql.deleteFrom("inbound_delivery").where("hook_id", "=", hookId).where("at", "<", keptSince).execute();
}
