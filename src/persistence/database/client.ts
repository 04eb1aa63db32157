import type { Submittable } from "pg";
import { type Outcome, type PreparedStatement, RowQuery } from "./row-query.ts";

/** As much of a connection of `pg` as is needed. */
export interface Client {
  query<Row>(query: { name?: string; text: string; values?: unknown[] }): Promise<Answer<Row>>;
  query<Query extends Submittable>(query: Query): Query;
  release(error?: boolean): void;
}

export interface Answer<Row> {
  command: string;
  rowCount: number | null;
  rows: Row[];
  fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** Executes prepared statements in one message; gives one outcome for each. `begins`: a `begin` goes before them. */
export function sendPrepared<Row>(
  client: Pick<Client, "query">,
  statements: readonly PreparedStatement[],
  begins = false,
): Promise<readonly Outcome<Row>[]> {
  if (statements.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    client.query(new RowQuery<Row>(statements, resolve, begins));
  });
}

/** The error was made where the socket was read; its stack leads to the caller from here on. */
export function toCallerError<Row>(outcome: Outcome<Row> | undefined): unknown {
  const error = outcome?.type === "failed" ? outcome.error : new Error("Postgres has not executed the statement.");
  if (error instanceof Error) Error.captureStackTrace(error);
  return error;
}
