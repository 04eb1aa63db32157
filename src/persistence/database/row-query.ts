import type { Connection, Submittable } from "pg";
import { type AnswerQuery, beginAnswer } from "./answer-reader.ts";

/** The form of a statement's answer: its columns, and a row of nulls. */
export interface Shape {
  readonly columns: readonly { readonly name: string; readonly parse: ((text: string) => unknown) | null }[];
  /** A row of nulls. It has all columns from the start: copies of it share one hidden class, and are no dictionaries. */
  readonly nulls: RowAsAsked;
}

/** A row with the types that the statement declares. They are not checked, as in `pg`. */
export type RowAsAsked = ReturnType<typeof JSON.parse>;

/** The name of "begin" on a connection that has prepared it. */
export const BEGIN = "begin";
/** The name of "commit" on a connection that has prepared it. */
export const COMMIT = "commit";

const TEXT = 25;

export function shapeOf(
  fields: readonly { readonly name: string; readonly dataTypeID: number }[],
  parserOf: (oid: number) => (text: string) => unknown,
): Shape {
  return {
    columns: fields.map(({ name, dataTypeID }) => ({ name, parse: dataTypeID === TEXT ? null : parserOf(dataTypeID) })),
    nulls: JSON.parse(`{${fields.map(({ name }) => `${JSON.stringify(name)}:null`).join()}}`),
  };
}

/** A statement that the connection has prepared, with the values of its parameters. */
export interface PreparedStatement {
  readonly name: string;
  readonly values: (string | Buffer | null)[];
  readonly shape: Shape;
}

/** The result of one statement; `tag` is Postgres' own, such as `UPDATE 3`. */
export type Outcome<Row> =
  | { readonly type: "done"; readonly tag: string; readonly rows: Row[] }
  | { readonly type: "failed"; readonly error: unknown }
  /** A statement before it failed, so Postgres did not execute this one. */
  | { readonly type: "skipped" };

/**
 * Executes statements that this connection has prepared, and whose shapes are known: `pg`'s own queries have a statement
 * described with every answer, and make dictionaries of the rows. Measured on a page of 21 runs with 44 columns: 150 us
 * of the server's time instead of 230, on a single row 43 instead of 86; and Postgres writes no description.
 *
 * Several statements travel in one message and are one implicit transaction, so all but one of them must only read. The
 * last one of a transaction may be its commit, which Postgres skips if a statement before it fails.
 * An answer of another shape cannot come: Postgres refuses to execute a statement whose columns have changed.
 */
export class RowQuery<Row> implements Submittable, AnswerQuery {
  /** Whether a `begin` goes before the statements, in the same message. */
  readonly begins: boolean;
  readonly statements: readonly PreparedStatement[];
  readonly #settle: (outcomes: Outcome<Row>[]) => void;
  readonly #outcomes: Outcome<Row>[] = [];
  /** The rows of the statement that is being answered. */
  #rows: Row[] = [];
  /** The values of a row could not be parsed; the rest of the answer must be read nevertheless. */
  #broken: { readonly error: unknown } | null = null;
  #begun = false;

  /** `settle` is given one outcome for each statement, in their order. */
  constructor(statements: readonly PreparedStatement[], settle: (outcomes: Outcome<Row>[]) => void, begins = false) {
    this.statements = statements;
    this.#settle = settle;
    this.begins = begins;
  }

  submit(connection: Connection): void {
    beginAnswer(connection, this);
    connection.stream.cork();
    if (this.begins) {
      connection.bind({ statement: BEGIN, values: [] }, true);
      connection.execute(null, true);
    }
    for (const { name, values } of this.statements) {
      connection.bind({ statement: name, values }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  readRow(data: Buffer, start: number, end: number): void {
    const statement = this.statements[this.#outcomes.length];
    if (this.#broken !== null || statement === undefined) return;
    try {
      this.#rows.push(toRow(data, start, end, statement.shape));
    } catch (error) {
      this.#broken = { error };
    }
  }

  endStatement(tag: string): void {
    if (this.begins && !this.#begun) {
      this.#begun = true;
      return;
    }
    const { error } = this.#broken ?? {};
    this.#outcomes.push(this.#broken === null ? { type: "done", tag, rows: this.#rows } : { type: "failed", error });
    this.#rows = [];
    this.#broken = null;
  }

  handleReadyForQuery(): void {
    this.#settle(this.#outcomes);
  }

  handleError(error: unknown): void {
    const skipped = this.statements.length - this.#outcomes.length - 1;
    const rest = Array.from({ length: Math.max(skipped, 0) }, (): Outcome<Row> => ({ type: "skipped" }));
    this.#settle([...this.#outcomes, { type: "failed", error }, ...rest]);
  }
}

/** Bytes of the count of fields, and of the length of each. */
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
/** The fields of a longer row do not share a text: one that is kept would keep the others. */
const SHARED_TEXT_BYTES = 1024;

function toRow(data: Buffer, start: number, end: number, { columns, nulls }: Shape): RowAsAsked {
  const row = { ...nulls };
  const text = end - start > SHARED_TEXT_BYTES ? null : data.toString("latin1", start, end);
  let from = start + COUNT_BYTES;
  for (const { name, parse } of columns) {
    const length = data.readInt32BE(from);
    from += LENGTH_BYTES;
    if (length === -1) {
      // An earlier column of this name may have set a value; the last column counts.
      row[name] = null;
      continue;
    }
    const to = from + length;
    const value =
      text !== null && isAscii(data, from, to) ? text.slice(from - start, to - start) : data.toString("utf8", from, to);
    row[name] = parse === null ? value : parse(value);
    from = to;
  }
  return row;
}

function isAscii(data: Buffer, start: number, end: number): boolean {
  let bits = 0;
  for (let index = start; index < end; index++) bits |= data[index] ?? 0;
  return bits < 0x80;
}
