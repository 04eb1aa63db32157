import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import {
  DELIVERY_EVENTS,
  DELIVERY_STATES,
  type DeliveryState,
  type WebhookAttempt,
  type WebhookDelivery,
} from "../../model/webhook/webhook.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { placedInOrder } from "../database/place.ts";
import type { Placed } from "../../model/people/place.ts";
import type { Tables } from "../database/tables.ts";
import { PROJECT_OF_WEBHOOK } from "./webhook-store.ts";

function toDelivery(row: Selectable<Tables["webhook_delivery"]>): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    event: word(DELIVERY_EVENTS, row.event),
    payload: row.payload,
    state: word(DELIVERY_STATES, row.state),
    turn: row.turn,
    attemptCount: row.attempt_count,
    roundBegan: row.round_began,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    finishedAt: row.finished_at,
  };
}

function toAttempt(row: Selectable<Tables["webhook_attempt"]>): WebhookAttempt {
  return {
    deliveryId: row.delivery_id,
    number: row.number,
    at: row.at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    error: row.error,
    response: row.response,
  };
}

export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly Pick<WebhookDelivery, "id" | "webhookId" | "event" | "payload" | "createdAt">[],
): Promise<void> {
  const rows = deliveries.map(({ id, webhookId, event, payload, createdAt }) => ({
    id,
    webhook_id: webhookId,
    event,
    payload,
    created_at: createdAt,
    next_attempt_at: createdAt,
  }));
  await tx.sql.insertInto("webhook_delivery").values(rows).execute();
}

export async function findDeliveries(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<WebhookDelivery> | null)[]> {
  const rows = await reader.sql
    .selectFrom("webhook_delivery")
    .innerJoin("webhook", "webhook.id", "webhook_delivery.webhook_id")
    .selectAll("webhook_delivery")
    .select(["webhook.organization_id", PROJECT_OF_WEBHOOK, "webhook.workspace_id"])
    .where("webhook_delivery.id", "in", ids)
    .execute();
  return placedInOrder(ids, rows, toDelivery);
}

/** Lock the webhook's row before it, where both are needed. */
export async function lockDelivery(tx: Transaction, id: string): Promise<WebhookDelivery | null> {
  const row = await tx.sql
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

/** Writes the progress of a delivery; its row must be locked. */
export async function updateDelivery(
  tx: Transaction,
  { id, state, turn, attemptCount, roundBegan, nextAttemptAt, finishedAt }: WebhookDelivery,
): Promise<void> {
  await tx.sql
    .updateTable("webhook_delivery")
    .set({
      state,
      turn,
      attempt_count: attemptCount,
      round_began: roundBegan,
      next_attempt_at: nextAttemptAt,
      finished_at: finishedAt,
    })
    .where("id", "=", id)
    .execute();
}

export async function insertAttempt(tx: Transaction, attempt: WebhookAttempt): Promise<void> {
  await tx.sql
    .insertInto("webhook_attempt")
    .values({
      delivery_id: attempt.deliveryId,
      number: attempt.number,
      at: attempt.at,
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.error,
      response: attempt.response,
    })
    .execute();
}

/** Nothing more is sent to this webhook of what waits; its row must be locked. */
export async function cancelDeliveries(tx: Transaction, webhookId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("webhook_delivery")
    .set({ state: "CANCELED", next_attempt_at: null, finished_at: at })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "PENDING")
    .execute();
}

/** Newest first; positions are ids. */
export async function listDeliveries(
  reader: Reader,
  webhookId: string,
  state: DeliveryState | null,
  page: PageRequest<string>,
): Promise<Page<WebhookDelivery>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .$if(state !== null, (q) => q.where("state", "=", state ?? ""))
    .$if(after !== null, (q) => q.where("id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("id", ">", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toDelivery));
}

/** The newest `atMost` attempts of each delivery, oldest first. */
export async function listAttempts(
  reader: Reader,
  deliveryIds: readonly string[],
  atMost: number,
): Promise<WebhookAttempt[][]> {
  const rows = await reader.sql
    .selectFrom("webhook_attempt")
    .innerJoin("webhook_delivery", "webhook_delivery.id", "webhook_attempt.delivery_id")
    .selectAll("webhook_attempt")
    .where("delivery_id", "in", deliveryIds)
    .where(sql<boolean>`webhook_attempt.number > webhook_delivery.attempt_count - ${atMost}`)
    .orderBy("number")
    .execute();
  return grouped(deliveryIds, rows.map(toAttempt), (attempt) => attempt.deliveryId);
}

/** Deletes what was finished before that, with its attempts; gives how many. */
export async function pruneDeliveries(tx: Transaction, before: string, atMost: number): Promise<number> {
  const result = await tx.sql
    .deleteFrom("webhook_delivery")
    .where("id", "in", (eb) =>
      eb.selectFrom("webhook_delivery").select("id").where("finished_at", "<", before).limit(atMost),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
