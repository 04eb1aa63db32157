import { type RawBuilder, type Selectable, sql } from "kysely";
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from "../../model/webhook/webhook.ts";
import type { Cipher } from "../installation/cipher.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { grouped, inOrder } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "id",
  "organization_id",
  "workspace_id",
  "url",
  "events",
  "description",
  "enabled",
  "gone_at",
  "created_by",
  "created_at",
] as const;
/** The project of the workspace that a webhook listens to. */
export const PROJECT_OF_WEBHOOK = sql<
  string | null
>`(select project_id from workspace where workspace.id = webhook.workspace_id)`.as("project_id");
const SHOWN = [...COLUMNS, PROJECT_OF_WEBHOOK] as const;
type Row = Pick<Selectable<Tables["webhook"]>, (typeof COLUMNS)[number]> & { project_id: string | null };

function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: row.events.map((event) => word(WEBHOOK_EVENTS, event)),
    description: row.description,
    enabled: row.enabled,
    goneAt: row.gone_at,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

function owner(id: string): string {
  return `webhook/${id}/secret`;
}

/** Whether a workspace is in a project that is isolated, or below one: what is of the organization does not reach it. */
function isApart(workspaceId: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from workspace inside
    join project own on own.id = inside.project_id
    join project line on line.id = any(own.path) and line.isolated
    where inside.id = ${workspaceId})`;
}

type Listening = { organizationId: string; workspaceId: string; event: WebhookEvent };

const listeners = prepared((db, slot: Slot<Listening>) =>
  db
    .selectFrom("webhook")
    .select("id")
    .where("organization_id", "=", slot("organizationId"))
    .where("deleted_at", "is", null)
    .where("enabled", "=", sql.lit(true))
    .where(sql<boolean>`(workspace_id = ${slot("workspaceId")}
      or (workspace_id is null and not ${isApart(slot("workspaceId"))}))`)
    .where(sql<boolean>`${slot("event")} = any(events)`)
    .orderBy("id"),
);

/** Ids of the webhooks that listen for one of these events of a workspace. Asked with every change of a lock or a run. */
export async function listListeners(
  tx: Transaction,
  place: { organizationId: string; workspaceId: string },
  event: WebhookEvent,
): Promise<string[]> {
  const rows = await listeners(tx, { organizationId: place.organizationId, workspaceId: place.workspaceId, event });
  return rows.map((row) => row.id);
}

/** Lists those of some workspaces for an event of which a webhook listens. */
export async function listHeardWorkspaces(
  tx: Transaction,
  workspaceIds: readonly string[],
  event: WebhookEvent,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from workspace w where w.id = any(${workspaceIds}) and exists (
      select from webhook h
      where h.organization_id = w.organization_id and h.deleted_at is null and h.enabled and ${event} = any(h.events)
        and (h.workspace_id = w.id or (h.workspace_id is null and not ${isApart(sql.ref("w.id"))}))
    ) order by w.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** Lists ids of the webhooks of a whole organization that listen for an event of it. */
export async function listOrganizationListeners(
  tx: Transaction,
  organizationId: string,
  event: WebhookEvent,
): Promise<string[]> {
  const rows = await tx.sql
    .selectFrom("webhook")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("workspace_id", "is", null)
    .where("deleted_at", "is", null)
    .where("enabled", "=", true)
    .where(sql<boolean>`${event} = any(events)`)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertWebhook(
  tx: Transaction,
  cipher: Cipher,
  webhook: Webhook & { secret: string },
): Promise<void> {
  await tx.sql
    .insertInto("webhook")
    .values({
      id: webhook.id,
      organization_id: webhook.organizationId,
      workspace_id: webhook.workspaceId,
      url: webhook.url,
      events: webhook.events,
      secret_sealed: cipher.seal(Buffer.from(webhook.secret), owner(webhook.id)),
      description: webhook.description,
      enabled: webhook.enabled,
      created_by: webhook.createdById,
      created_at: webhook.createdAt,
    })
    .execute();
}

/** Locks the row, unless the webhook was deleted. Rows that refer to it can still be inserted. */
export async function lockWebhook(tx: Transaction, id: string): Promise<Webhook | null> {
  const row = await tx.sql
    .selectFrom("webhook")
    .select(SHOWN)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toWebhook(row);
}

export async function updateWebhookRow(
  tx: Transaction,
  id: string,
  set: Pick<Webhook, "url" | "events" | "description" | "enabled" | "goneAt">,
): Promise<void> {
  const { url, events, description, enabled, goneAt } = set;
  await tx.sql
    .updateTable("webhook")
    .set({ url, events, description, enabled, gone_at: goneAt })
    .where("id", "=", id)
    .execute();
}

export async function markWebhookDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("webhook").set({ deleted_at: at }).where("id", "=", id).execute();
}

/**
 * Sets a new secret; messages are signed with the former one as well until `formerUntil`, unless it cannot be read, as
 * after a restore without the master key. The row must be locked.
 */
export async function replaceWebhookSecret(
  tx: Transaction,
  cipher: Cipher,
  id: string,
  { secret, formerUntil }: { secret: string; formerUntil: string | null },
): Promise<void> {
  const sealed = cipher.seal(Buffer.from(secret), owner(id));
  const readable = formerUntil !== null && (await canRead(tx, cipher, id));
  await tx.sql
    .updateTable("webhook")
    .set((eb) => ({
      former_secret_sealed: readable ? eb.ref("secret_sealed") : null,
      former_secret_until: readable ? formerUntil : null,
      secret_sealed: sealed,
    }))
    .where("id", "=", id)
    .execute();
}

async function canRead(tx: Transaction, cipher: Cipher, id: string): Promise<boolean> {
  const query = tx.sql.selectFrom("webhook").select("secret_sealed").where("id", "=", id);
  const { secret_sealed: sealed } = await query.executeTakeFirstOrThrow();
  try {
    cipher.open(sealed, owner(id));
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the secrets that sign a webhook's messages at this instant, the current one first. Throws if the master key is
 * not the one that sealed them.
 */
export async function findWebhookSecrets(reader: Reader, cipher: Cipher, id: string, at: string): Promise<string[]> {
  const row = await reader.sql
    .selectFrom("webhook")
    .select(["secret_sealed", "former_secret_sealed", "former_secret_until"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const former = row.former_secret_until !== null && row.former_secret_until > at ? row.former_secret_sealed : null;
  return [row.secret_sealed, former]
    .filter((sealed) => sealed !== null)
    .map((sealed) => cipher.open(sealed, owner(id)).toString());
}

/** Also those of workspaces that were deleted; not those that were deleted themselves. */
export async function findWebhooks(reader: Reader, ids: readonly string[]): Promise<(Webhook | null)[]> {
  const rows = await reader.sql
    .selectFrom("webhook")
    .select(SHOWN)
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return inOrder(ids, rows.map(toWebhook), (webhook) => webhook.id);
}

/** Oldest first, those of single workspaces included. */
export async function listWebhooksOfOrganizations(reader: Reader, ids: readonly string[]): Promise<Webhook[][]> {
  const rows = await kept(reader).where("organization_id", "in", ids).execute();
  return grouped(ids, rows.map(toWebhook), (webhook) => webhook.organizationId);
}

/** Oldest first; only those that listen for this workspace alone. */
export async function listWebhooksOfWorkspaces(reader: Reader, ids: readonly string[]): Promise<Webhook[][]> {
  const rows = await kept(reader).where("workspace_id", "in", ids).execute();
  return grouped(ids, rows.map(toWebhook), (webhook) => webhook.workspaceId);
}

/** Those of a workspace that was deleted have nothing to listen to any more. */
function kept(reader: Reader) {
  return reader.sql
    .selectFrom("webhook")
    .select(SHOWN)
    .where("deleted_at", "is", null)
    .where(inKeptWorkspace("webhook.workspace_id"))
    .orderBy("id");
}

export async function countWebhooks(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("webhook")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(inKeptWorkspace("webhook.workspace_id"))
    .executeTakeFirstOrThrow();
  return row.count;
}
