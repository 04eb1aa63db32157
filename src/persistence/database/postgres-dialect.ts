import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import { type Answer, type Client, sendPrepared, toCallerError } from "./client.ts";
import { isConnectionLost } from "./connection-lost.ts";
import { BEGIN, COMMIT, type Outcome, type PreparedStatement, type Shape, shapeOf } from "./row-query.ts";
import type { StatementNames } from "./statement-names.ts";
import { COMMIT_CHECK, createBeginning, createEnding, requireCommitted } from "./transaction-ends.ts";
import { toWire } from "./wire-value.ts";

/** How the text of a value of the type with this number becomes what rows have. */
export type ParserOf = (oid: number) => (text: string) => unknown;

/** As much of a pool of `pg` as is needed. */
interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

/** feature_not_supported, of which "cached plan must not change result type" is one */
const NOT_SUPPORTED = "0A000";
/** in_failed_sql_transaction */
const FAILED_TRANSACTION = "25P02";
const ENDS = new Set([COMMIT, "rollback"]);

/**
 * Kysely's own dialect of Postgres, but that statements with parameters are prepared under names: kysely has none.
 * Measured over test/domain/every-command: 11 % less processor time of server and Postgres together.
 */
export function createPostgresDialect(pool: Pool, names: StatementNames, parserOf: ParserOf): PipelinedDialect {
  const connections = createConnections(names, parserOf);
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, connections),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    async readTogether(queries) {
      const client = await pool.connect();
      const results = connections(client).executeReads(queries);
      void Promise.allSettled(results).then((settled) => {
        const isLost = settled.some((one) => one.status === "rejected" && isConnectionLost(one.reason));
        client.release(isLost);
      });
      return results;
    },
  };
}

/** Kysely's dialect, with a way to execute several statements in one message. */
export interface PipelinedDialect extends Dialect {
  /**
   * Executes statements that only read, all on one connection. Gives one promise for each, in their order: a statement
   * that fails has no effect on the others.
   */
  readTogether<Row>(queries: readonly CompiledQuery<Row>[]): Promise<Promise<QueryResult<Row>>[]>;
}

interface Connection extends DatabaseConnection {
  /** One promise for each statement, in their order. */
  executeReads<Row>(queries: readonly CompiledQuery<Row>[]): Promise<QueryResult<Row>>[];
}

/** Gives the connection of a client; what it has prepared is known as long as the client lives. */
function createConnections(names: StatementNames, parserOf: ParserOf): (client: Client) => Connection {
  const connections = new WeakMap<Client, Connection>();
  return (client) => {
    const connection = connections.get(client) ?? createConnection(client, names, parserOf);
    connections.set(client, connection);
    return connection;
  };
}

function createDriver(pool: Pool, connectionOf: (client: Client) => Connection): Driver {
  const lent = new WeakMap<DatabaseConnection, Client>();
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = await pool.connect();
      const connection = connectionOf(client);
      const loan = lend(connection, () => lent.has(loan));
      lent.set(loan, client);
      return loan;
    },
    beginTransaction: (connection, settings) => run(connection, beginOf(settings)),
    commitTransaction: (connection) => run(connection, "commit"),
    rollbackTransaction: (connection) => run(connection, "rollback"),
    releaseConnection: (loan) => {
      const client = lent.get(loan);
      lent.delete(loan);
      client?.release();
      return Promise.resolve();
    },
    destroy: () => pool.end(),
  };
}

/** A backup is read as of one instant. */
function beginOf({ isolationLevel, accessMode }: TransactionSettings): string {
  return ["begin", isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(" ");
}

/** Guards a connection: used after its transaction, it would send statements into another one. */
function lend(connection: DatabaseConnection, isLent: () => boolean): DatabaseConnection {
  return {
    executeQuery: (query) =>
      isLent()
        ? connection.executeQuery(query)
        : Promise.reject(new Error("The connection was already returned to the pool.")),
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

function createConnection(client: Client, names: StatementNames, parserOf: ParserOf): Connection {
  /** The shapes of the statements that are prepared on this connection, by name. */
  const shapes = new Map<string, Shape>();
  const beginning = createBeginning(client);
  const ending = createEnding(client);
  const executeNamed = async <Row>(name: string, text: string, values: unknown[]): Promise<QueryResult<Row>> => {
    const shape = shapes.get(name);
    if (shape !== undefined) {
      // Before the begin is taken along: if a value cannot be sent, the begin still has to wait.
      const wire = values.map(toWire);
      return executePrepared<Row>(client, { name, values: wire, shape }, beginning.take());
    }
    await beginning.send();
    const answer = await client.query<Row>({ name, text, values });
    shapes.set(name, shapeOf(answer.fields, parserOf));
    return toResult(answer);
  };
  const executeText = async <Row>(text: string, values: unknown[]): Promise<QueryResult<Row>> => {
    if (text === BEGIN) {
      await beginning.ask();
      return { rows: [] };
    }
    if (ENDS.has(text)) {
      const check = ending.take();
      // A transaction in which nothing was asked has not begun.
      if (beginning.take()) return { rows: [] };
      if (text === COMMIT) {
        requireCommitted(check === null ? await client.query({ text }) : await ending.commit(check));
        return { rows: [] };
      }
    }
    await beginning.send();
    return toResult(await client.query<Row>({ text, values }));
  };
  const executeQuery = async <Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const values = [...parameters];
    if (text === COMMIT_CHECK) {
      ending.ask(values.map(toWire));
      return { rows: [] };
    }
    // Without parameters it may be several statements in one, or a statement that cannot be prepared.
    const name = values.length === 0 ? undefined : names.nameOf(text);
    if (name === undefined) return executeText<Row>(text, values);
    try {
      return await executeNamed<Row>(name, text, values);
    } catch (error) {
      if (codeOf(error) !== NOT_SUPPORTED) throw error;
      // Another server has migrated the database, and the columns are others than when the statement was prepared.
      names.renew(text);
      shapes.delete(name);
      return toResult(await again<Row>(client, text, values, error));
    }
  };
  /** `null` if the statement has to be executed alone: this connection has not prepared it. */
  const preparedOf = ({ sql: text, parameters }: CompiledQuery): PreparedStatement | null => {
    const name = parameters.length === 0 ? undefined : names.nameOf(text);
    const shape = name === undefined ? undefined : shapes.get(name);
    return name === undefined || shape === undefined ? null : { name, shape, values: parameters.map(toWire) };
  };
  return {
    executeQuery,
    executeReads<Row>(queries: readonly CompiledQuery<Row>[]): Promise<QueryResult<Row>>[] {
      const prepared = queries.map(preparedOf);
      const outcomes = sendPrepared<Row>(
        client,
        prepared.filter((statement) => statement !== null),
      );
      let turn: Promise<unknown> = outcomes;
      const executeAlone = (query: CompiledQuery<Row>): Promise<QueryResult<Row>> => {
        const result = turn.then(() => executeQuery<Row>(query));
        turn = result.catch(() => undefined);
        return result;
      };
      let count = 0;
      return queries.map((query, index) => {
        if (prepared[index] === null) return executeAlone(query);
        const position = count++;
        return outcomes.then((all) => resultAt(all, position) ?? executeAlone(query));
      });
    },
    streamQuery() {
      throw new Error("Reading rows as a stream is not supported.");
    },
  };
}

async function executePrepared<Row>(
  client: Client,
  statement: PreparedStatement,
  begins: boolean,
): Promise<QueryResult<Row>> {
  const [outcome] = await sendPrepared<Row>(client, [statement], begins);
  if (outcome?.type === "done") return toPreparedResult(outcome);
  throw toCallerError(outcome);
}

/**
 * The result of one of several statements. Gives `null` if it has to be executed alone: the database was migrated,
 * or Postgres skipped it after another one failed. Throws its error otherwise, and that of a lost connection.
 */
function resultAt<Row>(outcomes: readonly Outcome<Row>[], index: number): QueryResult<Row> | null {
  const outcome = outcomes[index];
  if (outcome?.type === "done") return toPreparedResult(outcome);
  const failed = outcomes.find(({ type }) => type === "failed");
  const error = failed?.type === "failed" ? failed.error : undefined;
  const isOwn = outcome === failed && codeOf(error) !== NOT_SUPPORTED;
  if (isOwn || isConnectionLost(error)) throw toCallerError(failed);
  return null;
}

function toPreparedResult<Row>({ tag, rows }: Extract<Outcome<Row>, { type: "done" }>): QueryResult<Row> {
  const [command = "", ...counts] = tag.split(" ");
  return toResult({ command, rowCount: Number(counts.at(-1) ?? 0), rows });
}

/** Tries again, which helps outside of a transaction; inside, the transaction has failed and is retried as a whole. */
async function again<Row>(client: Client, text: string, values: unknown[], first: unknown): Promise<Answer<Row>> {
  try {
    return await client.query<Row>({ text, values });
  } catch (error) {
    throw codeOf(error) === FAILED_TRANSACTION ? first : error;
  }
}

function toResult<Row>({ command, rowCount, rows }: Omit<Answer<Row>, "fields">): QueryResult<Row> {
  const changes = command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
  return changes ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
