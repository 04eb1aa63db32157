import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Database, Transaction } from "../../src/persistence/database/database.ts";
import type { Tables } from "../../src/persistence/database/tables.ts";

export interface RecordedDatabase {
  database: Database;
  /** The statements that were sent, with their parameters. */
  statements: { sql: string; parameters: readonly unknown[] }[];
  /** How each transaction ended. */
  ends: ("COMMIT" | "ROLLBACK")[];
}

/** A database that keeps what is sent to it, and answers as the test decides: for decisions around statements. */
export function recordedDatabase(answer: (sql: string) => readonly object[] = () => []): RecordedDatabase {
  const statements: RecordedDatabase["statements"] = [];
  const ends: RecordedDatabase["ends"] = [];
  class Driver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return {
        executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
          statements.push({ sql, parameters });
          return { rows: answer(sql) as Row[] };
        },
        streamQuery: () => {
          throw new Error("Nothing is streamed.");
        },
      };
    }
  }
  const sql = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const tx: Transaction = { sql, announce: () => {}, fed: () => {} } as unknown as Transaction;
  const database: Database = {
    sql,
    async transaction(work) {
      try {
        const result = await work(tx);
        ends.push("COMMIT");
        return result;
      } catch (error) {
        ends.push("ROLLBACK");
        throw error;
      }
    },
    statement: (work) => work(tx),
    isFull: async () => false,
    [Symbol.asyncDispose]: async () => {},
  };
  return { database, statements, ends };
}
