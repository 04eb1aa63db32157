import type { CompiledQuery } from "kysely";
import { batch } from "./batch.ts";
import type { PipelinedDialect } from "./postgres-dialect.ts";
import type { RowAsAsked } from "./row-query.ts";

/** Statements in one message. More of them save little, and each waits for those before it. */
const MOST = 8;
/** Messages under way at a time, each on a connection of its own. */
const AT_ONCE = 4;
/** The longest that a message is waited for before another one is sent beside it. */
const PATIENCE_MS = 5;

/** Whether a parameter is short: long ones are lists of keys, which are batched by their readers. */
function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Gives equal keys to equal statements with equal parameters, so that those that wait together are executed once. */
function keyOf({ queryId, parameters }: CompiledQuery): string | undefined {
  return parameters.every(isScalar) ? `${queryId.queryId} ${JSON.stringify(parameters)}` : undefined;
}

/**
 * Makes a function that executes statements which only read. Statements of requests that arrive at the same time travel
 * in one message: every message costs a system call here and wakes a process of Postgres, which takes longer than the
 * statement itself.
 */
export function pipelined({ readTogether }: Pick<PipelinedDialect, "readTogether">) {
  const read = batch((queries: readonly CompiledQuery[]) => readTogether<RowAsAsked>(queries), {
    most: MOST,
    atOnce: AT_ONCE,
    patienceMs: PATIENCE_MS,
    keyOf,
  });
  return async <Row>(query: CompiledQuery<Row>): Promise<Row[]> => {
    const { rows } = await read(query);
    return rows;
  };
}
