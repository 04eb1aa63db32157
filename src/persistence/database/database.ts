import { CompiledQuery, Kysely } from "kysely";
import pg from "pg";
import type { RunStatus } from "../../model/lifecycle/run-status.ts";
import { DatabaseFull } from "../../model/runner/store-unavailable.ts";
import { readingClient } from "./answer-reader.ts";
import { createDiskState, isDiskFull } from "./disk-full.ts";
import type { Notifier, Topic } from "./notifier.ts";
import { pipelined } from "./pipelined.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { createStatementNames } from "./statement-names.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";
import type { Tables } from "./tables.ts";
import { COMMIT_CHECK } from "./transaction-ends.ts";

/** The access that a store function needs to read. */
export interface Reader {
  readonly sql: Kysely<Tables>;
  /** Reads with a statement that may share a connection and a message with others; absent within a transaction. */
  readonly read?: <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;
}

/** The access that a store function needs to write with one statement. */
export interface Statement extends Reader {
  /** Sends a hint after the commit: there is something new about this topic. It carries no data. */
  announce(topic: Topic): void;
}

/** The access that a store function needs to write: an open transaction. */
export interface Transaction extends Statement {
  /** So many events were put into the feed of this organization, which that of the workspace is a part of. */
  published(feed: PublishedFeed, events: number): void;
  /** Work for the end of the transaction, once for each key: what must be the last to be locked, in the order asked. */
  beforeCommit(key: string, work: () => Promise<void>): void;
  /** Counts a fact once it is committed; no decision depends on it. */
  observe(fact: CommitFact): void;
}

/** The feeds in which an event is. */
export interface PublishedFeed {
  organizationId: string;
  /** `null`: it concerns a changeset. */
  workspaceId: string | null;
  /** `null`: a run has none. */
  changesetId: string | null;
}

/** How long a run was in the status that it has left. */
export interface CommitFact {
  type: "wait";
  status: RunStatus;
  waitedMs: number;
}

/** Counts transactions. */
export interface TransactionObserver {
  /** `published`: how many events the transaction put into feeds. */
  committed(facts: readonly CommitFact[], published: number): void;
  rolledBack(): void;
}

/** The rights under which a transaction may commit: of which version they are, and whose. */
export interface RightsInUse {
  readonly version: number;
  /** The id of the token or session. */
  readonly credentialId: string;
}

/** The rights of a transaction were not in force any more at its commit; nothing was committed. */
export class RightsChanged extends Error {
  override readonly name = "RightsChanged";
}

export interface Database extends Reader, AsyncDisposable {
  /**
   * Runs the work in one transaction; tries again after a deadlock or a serialization failure. `rights`: throws
   * RightsChanged unless they are still in force at the commit; absent or `null`: under no one's rights.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, rights?: RightsInUse | null): Promise<T>;
  /** Runs one statement, which is a transaction on its own: without the round trips of its begin and its end. */
  statement<T>(work: (statement: Statement) => Promise<T>): Promise<T>;
  /** Whether the disk was full when something was last written, and still is. */
  isFull(): Promise<boolean>;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const TEXT_ARRAY: number = 1009;
const TRANSACTION_TRIES = 4;
/** deadlock_detected, serialization_failure, and feature_not_supported: see `createPostgresDialect` */
const RETRYABLE = new Set(["40P01", "40001", "0A000"]);
/** The error of `require_rights`. */
const RIGHTS_CHANGED = "HP004";
const SESSION_OPTIONS = "-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000";
/** A server has some 350 statements; all of them with their plans take 13 MB of a connection that runs them all. */
const STATEMENTS = { names: 500, met: 1000 };
/** How often Postgres checks whether the client of a running statement is still connected. */
const CLIENT_CHECK_MS = 1000;

/**
 * Instants stay text: parsing them to Date and back costs more than everything else on the read path. The session is
 * in UTC, so Postgres writes `2026-11-20 16:07:25.44+00`.
 */
export function parseInstant(text: string): string {
  const end = text.length - ZONE.length;
  return `${text.slice(0, 10)}T${text.slice(11, end)}${PADDING[end - SECONDS_END] ?? ""}Z`;
}

const ZONE = "+00";
/** The end of the seconds; behind it are a point and the digits of the fraction, if there are any. */
const SECONDS_END = 19;
/** The rest of a fraction of three digits, by the length of what is there. */
const PADDING: readonly string[] = [".000", "000", "00", "0"];

/** Nearly all of them are empty. */
function parseTexts(text: string): string[] {
  return text === "{}" ? [] : pg.types.getTypeParser(TEXT_ARRAY, "text")(text);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (format !== "binary" && oid === TIMESTAMPTZ) return parseInstant;
    if (format !== "binary" && oid === INT8) return Number;
    if (format !== "binary" && oid === TEXT_ARRAY) return parseTexts;
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  },
};

/** Connects to an existing, migrated or not yet migrated, database. `onError`: a pooled connection broke while idle. */
export function openDatabase(
  connection: pg.PoolConfig,
  deps: { notifier: Notifier; onError: (error: Error) => void; observer?: TransactionObserver },
): Database {
  const pool = new pg.Pool({
    max: 20,
    ...KEEP_ALIVE,
    ...connection,
    Client: readingClient(connection.Client),
    options: SESSION_OPTIONS,
    verify: (client, goOn) => void watchClient(client).then(() => goOn(), goOn),
    types,
  });
  pool.on("error", deps.onError);
  // The pool listens to idle connections only. One that breaks between two statements of a transaction has no
  // other listener, and its "error" event would end the process; its user gets the error from the next statement.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const dialect = createPostgresDialect(pool, createStatementNames(STATEMENTS), (oid) => types.getTypeParser(oid));
  const sql = new Kysely<Tables>({ dialect });
  const read = pipelined(dialect);
  const disk = createDiskState(sql);
  const tried = async <T>(work: (topics: Set<Topic>) => Promise<Committed<T>>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const topics = new Set<Topic>();
      try {
        const { result, facts, published } = await work(topics);
        deps.notifier.send(topics);
        deps.observer?.committed(facts, published);
        return result;
      } catch (error) {
        deps.observer?.rolledBack();
        if (isDiskFull(error)) {
          disk.noteFull();
          throw new DatabaseFull("The disk of the database is full.", { cause: error });
        }
        if (isPostgresError(error) && error.code === RIGHTS_CHANGED) {
          throw new RightsChanged("The rights of the caller have changed.", { cause: error });
        }
        if (attempt >= TRANSACTION_TRIES || !isPostgresError(error) || !RETRYABLE.has(error.code)) throw error;
      }
    }
  };
  return {
    sql,
    read,
    transaction: (work, rights = null) => tried((topics) => inTransaction(sql, topics, work, rights)),
    statement: (work) =>
      tried(async (topics) => {
        const result = await work({ sql, announce: (topic) => topics.add(topic) });
        return { result, facts: [], published: 0 };
      }),
    isFull: () => disk.isFull(),
    async [Symbol.asyncDispose]() {
      await sql.destroy();
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end();
    },
  };
}

/** The result of a transaction. */
interface Committed<T> {
  result: T;
  facts: CommitFact[];
  /** How many events were put into feeds. */
  published: number;
}

function inTransaction<T>(
  sql: Kysely<Tables>,
  topics: Set<Topic>,
  work: (tx: Transaction) => Promise<T>,
  rights: RightsInUse | null,
): Promise<Committed<T>> {
  const facts: CommitFact[] = [];
  let published = 0;
  const last = new Map<string, () => Promise<void>>();
  return sql.connection().execute((connection) =>
    begun(connection, rights, async (open) => {
      const result = await work({
        sql: open,
        announce: (topic) => topics.add(topic),
        published({ organizationId, workspaceId, changesetId }, events) {
          topics.add(`org:${organizationId}`);
          if (workspaceId !== null) topics.add(`ws:${workspaceId}`);
          if (changesetId !== null) topics.add(`cs:${changesetId}`);
          published += events;
        },
        beforeCommit: (key, finish) => last.set(key, finish),
        observe: (fact) => facts.push(fact),
      });
      for (const finish of last.values()) await finish();
      return { result, facts, published };
    }),
  );
}

async function begun<T>(
  connection: Kysely<Tables>,
  rights: RightsInUse | null,
  work: (open: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  await connection.executeQuery(CompiledQuery.raw("begin"));
  try {
    const result = await work(connection);
    if (rights !== null) {
      await connection.executeQuery(CompiledQuery.raw(COMMIT_CHECK, [rights.version, rights.credentialId]));
    }
    await connection.executeQuery(CompiledQuery.raw("commit"));
    return result;
  } catch (error) {
    // A connection on which this fails is broken: the pool notices that on its own, and the first error is the cause.
    await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => undefined);
    throw error;
  }
}

/**
 * Ends the statements of a server that is gone in Postgres as well. It is not an option of the session: a Postgres on a
 * system without this check (Windows) would refuse the connection.
 */
async function watchClient(client: pg.ClientBase): Promise<void> {
  try {
    await client.query(`set client_connection_check_interval = ${CLIENT_CHECK_MS}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
  }
}

/** Whether Postgres itself refused, with its five-character code. */
function isPostgresError(error: unknown): error is Error & { code: string; constraint?: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** Whether an insert failed because this unique constraint or index was in the way. */
export function violates(error: unknown, constraint: string): boolean {
  return isPostgresError(error) && error.code === "23505" && error.constraint === constraint;
}
