import type { Connection, Submittable } from "pg";

/** The form of a statement's answer: its columns, and a row of nulls. */
export interface Shape {
  readonly columns: readonly { readonly name: string; readonly parse: ((text: string) => unknown) | null }[];
  /** A row of nulls. It has all columns from the start: copies of it share one hidden class, and are no dictionaries. */
  readonly nulls: RowAsAsked;
}

/** A row with the types that the statement declares. They are not checked, as in `pg`. */
type RowAsAsked = ReturnType<typeof JSON.parse>;

/** The name of "begin" on a connection that has prepared it. */
export const BEGIN = "begin";

/** Where the answer goes to; `tag` is Postgres' own, such as `UPDATE 3`. */
export interface Sink<Row> {
  done(tag: string, rows: Row[]): void;
  failed(error: unknown): void;
}

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

/**
 * Executes a statement that this connection has prepared, and whose shape is known: `pg`'s own queries have it described
 * with every answer, and make dictionaries of the rows. Measured on a page of 21 runs with 44 columns: 150 us of the
 * server's time instead of 230, on a single row 43 instead of 86; and Postgres writes no description.
 *
 * An answer of another shape cannot come: Postgres refuses to execute a statement whose columns have changed.
 */
export class RowQuery<Row> implements Submittable {
  /** `pg` knows a prepared statement by it. */
  readonly name: string;
  /** It begins a transaction. */
  readonly begins: boolean;
  readonly #values: (string | Buffer | null)[];
  readonly #shape: Shape;
  readonly #sink: Sink<Row>;
  readonly #rows: Row[] = [];
  #tag = "";
  /** The values of a row could not be parsed; the rest of the answer must be read nevertheless. */
  #broken: { readonly error: unknown } | null = null;

  /** `begins`: with a transaction, in the same message; its tag is overwritten by that of the statement. */
  constructor(name: string, values: (string | Buffer | null)[], shape: Shape, sink: Sink<Row>, begins = false) {
    this.begins = begins;
    this.name = name;
    this.#values = values;
    this.#shape = shape;
    this.#sink = sink;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    if (this.begins) {
      connection.bind({ statement: BEGIN, values: [] }, true);
      connection.execute(null, true);
    }
    connection.bind({ statement: this.name, values: this.#values }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#broken !== null) return;
    try {
      this.#rows.push(toRow(fields, this.#shape));
    } catch (error) {
      this.#broken = { error };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tag = text;
  }

  handleReadyForQuery(): void {
    if (this.#broken === null) this.#sink.done(this.#tag, this.#rows);
    else this.#sink.failed(this.#broken.error);
  }

  handleError(error: unknown): void {
    this.#sink.failed(error);
  }
}

function toRow(fields: readonly (string | null)[], { columns, nulls }: Shape): RowAsAsked {
  const row = { ...nulls };
  for (let index = 0; index < fields.length; index++) {
    const text = fields[index] ?? null;
    const column = columns[index];
    if (column === undefined) continue;
    row[column.name] = text === null || column.parse === null ? text : column.parse(text);
  }
  return row;
}
