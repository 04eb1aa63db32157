/** When deliveries are due: jobs of pg-boss, in a schema of their own, which no backup holds. */
import { sql } from "kysely";
import pg from "pg";
import type { Reader, Transaction } from "../database/database.ts";
import { KEEP_ALIVE } from "../database/keep-alive.ts";

const SCHEMA = "holdpoint_jobs";
const QUEUE = "webhook";
const CONNECTIONS = 3;
/** A job without a report of its server for so long goes to another one. Longer than any request may take. */
const EXPIRE_S = 60;
const SUPERVISE_S = 30;
/** Retries of jobs whose server died or could not reach the database; a refused delivery is queued again instead. */
const RETRIES = 20;
const RETRY_S = 5;
const RETRY_MAX_S = 300;
const KEPT_S = 3600;

/** One attempt that is due. */
export interface DueDelivery {
  deliveryId: string;
  webhookId: string;
  turn: number;
}

/** An attempt that this server has taken on. */
export interface TakenDelivery {
  deliveryId: string;
  turn: number;
  /** For `complete` and `giveBack`. */
  job: { id: string; retryCount: number };
}

/** Enqueues deliveries. */
export interface WebhookQueue {
  /** In the transaction: where it is rolled back, nothing is sent. */
  enqueue(tx: Transaction, due: readonly (DueDelivery & { afterMs: number })[]): Promise<void>;
}

/** The queue from which deliveries are made. */
export interface WebhookJobs extends WebhookQueue, AsyncDisposable {
  /** At most `count` attempts that are due, and at most `each` for the target of one webhook. */
  take(count: number, each: number): Promise<TakenDelivery[]>;
  /** Completes a job, in the transaction that records its result. */
  complete(tx: Transaction, taken: TakenDelivery): Promise<void>;
  /** It was not made after all: it is due again in a moment. */
  giveBack(taken: TakenDelivery): Promise<void>;
  /** Deliveries that wait and have no job: the database was restored from a backup. */
  listLost(reader: Reader, atMost: number): Promise<(DueDelivery & { nextAttemptAt: string })[]>;
}

/** pg-boss cannot be used; the message has the remedy. */
export class WebhookQueueError extends Error {
  override readonly name = "WebhookQueueError";
}

/**
 * Opens the queue when there is something to deliver: most installations have no webhooks, and pg-boss is a tenth of a
 * start's CPU time. A missing schema is made at once, so that a lack of rights is an error of the start.
 */
export async function openWebhookQueueOnDemand(
  connection: pg.PoolConfig,
  reader: Reader,
  onError: (error: Error) => void,
): Promise<WebhookJobs> {
  const open = (): Promise<WebhookJobs> => openWebhookQueue(connection, onError);
  if (!(await hasSchema(connection).catch(toQueueError))) return open();
  let opening: Promise<WebhookJobs> | null = null;
  const opened = (): Promise<WebhookJobs> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    enqueue: async (tx, due) => (await opened()).enqueue(tx, due),
    take: async (count, each) => {
      if (opening === null && !(await hasWebhooks(reader))) return [];
      return (await opened()).take(count, each);
    },
    complete: async (tx, taken) => (await opened()).complete(tx, taken),
    giveBack: async (taken) => (await opened()).giveBack(taken),
    listLost,
    async [Symbol.asyncDispose]() {
      const jobs = await opening?.catch(() => null);
      await jobs?.[Symbol.asyncDispose]();
    },
  };
}

async function hasWebhooks(reader: Reader): Promise<boolean> {
  return (await reader.sql.selectFrom("webhook").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Makes or migrates the schema (servers that start at the same time wait for each other) and connects to it.
 *
 * @throws WebhookQueueError where the database's user may not do that
 */
export async function openWebhookQueue(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
): Promise<WebhookJobs> {
  const exists = await hasSchema(connection).catch(toQueueError);
  const { fromKysely, PgBoss } = await import("pg-boss");
  const boss = new PgBoss({
    // pg-boss hands over what it does not know.
    ...KEEP_ALIVE,
    ...connectionOptions(connection),
    schema: SCHEMA,
    // Postgres asks for the right to create even where there is nothing to create.
    createSchema: !exists,
    max: CONNECTIONS,
    application_name: "holdpoint jobs",
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    monitorVacuum: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  boss.on("error", onError);
  try {
    await boss.start();
    await boss.createQueue(QUEUE, {
      policy: "short",
      expireInSeconds: EXPIRE_S,
      retryLimit: RETRIES,
      retryDelay: RETRY_S,
      retryBackoff: true,
      retryDelayMax: RETRY_MAX_S,
      deleteAfterSeconds: KEPT_S,
    });
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw new WebhookQueueError(refusal(error), { cause: error });
  }
  return {
    async enqueue(tx, due) {
      const jobs = due.map(({ deliveryId, webhookId, turn, afterMs }) => ({
        data: { deliveryId, turn },
        singletonKey: `${deliveryId}/${turn}`,
        group: { id: webhookId },
        startAfter: Math.ceil(Math.max(0, afterMs) / 1000),
      }));
      await boss.insert(QUEUE, jobs, { db: fromKysely(tx.sql) });
      tx.announce("webhooks");
    },
    async take(count, each) {
      const options = { batchSize: count, groupConcurrency: each };
      const jobs = await boss.fetch<Pick<DueDelivery, "deliveryId" | "turn">>(QUEUE, options);
      return jobs.map(({ data, id, retryCount }) => ({ ...data, job: { id, retryCount } }));
    },
    async complete(tx, { job }) {
      await boss.complete(QUEUE, job, null, { db: fromKysely(tx.sql) });
    },
    async giveBack({ job }) {
      await boss.fail(QUEUE, job);
    },
    listLost,
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false });
    },
  };
}

async function hasSchema(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...KEEP_ALIVE, ...connection });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_namespace where nspname = $1", [SCHEMA]);
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

function toQueueError(error: unknown): never {
  throw new WebhookQueueError(refusal(error), { cause: error });
}

async function listLost(reader: Reader, atMost: number): Promise<(DueDelivery & { nextAttemptAt: string })[]> {
  const { rows } = await sql<DueDelivery & { nextAttemptAt: string }>`
    select d.id as "deliveryId", d.webhook_id as "webhookId", d.turn, d.next_attempt_at as "nextAttemptAt"
      from webhook_delivery d
     where d.state = 'PENDING' and not exists (
       select from ${sql.table(`${SCHEMA}.job`)} j
        where j.name = ${QUEUE} and j.singleton_key = d.id || '/' || d.turn and j.state < 'completed')
     order by d.id limit ${atMost}
  `.execute(reader.sql);
  return rows;
}

/** The connection settings of pg-boss, which makes a pool of its own. */
function connectionOptions({ connectionString, host, port, user, password, database }: pg.PoolConfig) {
  return {
    ...(connectionString !== undefined && { connectionString }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
  };
}

function refusal(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "42501") return `the jobs of webhooks cannot be kept in the schema ${SCHEMA}: ${message}`;
  return (
    `${message}. Jobs of webhooks are kept in the schema ${SCHEMA}: let the database's user create it ` +
    `(grant create on database ... to ...), or create it for that user (create schema ${SCHEMA} authorization ...).`
  );
}
