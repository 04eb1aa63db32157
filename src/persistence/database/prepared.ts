import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type { Reader } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Puts an argument into a statement, in place of a value. */
export interface Slot<Args> {
  <Name extends keyof Args & string>(name: Name): RawBuilder<Args[Name]>;
}

/** Asks a statement with these arguments; the rows are its answer. */
export type Prepared<Args, Row> = (reader: Reader, args: Args) => Promise<Row[]>;

/** A query of kysely's, or SQL. */
interface Buildable<Row> {
  compile(db: Kysely<Tables>): CompiledQuery<Row>;
}

/** Matches a statement that may write, lock rows or take an advisory lock. */
const WRITES = /\b(?:insert|update|delete|merge|share|pg_advisory\w*)\b/i;

/** Whether a statement may share a message, and so a transaction, with the reads of other requests. */
function onlyReads(text: string): boolean {
  return /^[\s(]*select\b/i.test(text) && !WRITES.test(text);
}

/**
 * A statement that is built and turned into text once, when it is first asked. For the reads of every request: building
 * one costs some 70 us of the server's time, as much as everything else that the server does for it.
 */
export function prepared<Args extends object, Row>(
  build: (db: Kysely<Tables>, slot: Slot<Args>) => Buildable<Row>,
): Prepared<Args, Row> {
  let template: CompiledQuery<Row> | undefined;
  let isShared = false;
  return async (reader, args) => {
    if (template === undefined) {
      const db = compiler();
      template = build(db, (name) => sql`${new Argument(name)}`).compile(db);
      isShared = onlyReads(template.sql);
    }
    const given = new Map<string, unknown>(Object.entries(args));
    const parameters = template.parameters.map((one) => (one instanceof Argument ? given.get(one.name) : one));
    const query = { ...template, parameters };
    if (isShared && reader.read !== undefined) return await reader.read(query);
    return (await reader.sql.executeQuery<Row>(query)).rows;
  };
}

/**
 * Statements of several forms, each prepared when it is first needed. `keyOf` gives equal keys for equal texts; there must
 * be few of them, because all are kept.
 */
export function preparedBy<Form extends readonly unknown[], Args, Row>(
  keyOf: (...form: Form) => string,
  prepare: (...form: Form) => Prepared<Args, Row>,
): (...form: Form) => Prepared<Args, Row> {
  const known = new Map<string, Prepared<Args, Row>>();
  return (...form) => {
    const key = keyOf(...form);
    const statement = known.get(key) ?? prepare(...form);
    known.set(key, statement);
    return statement;
  };
}

/**
 * An argument that Postgres does not know when it plans: what a subquery gives is not known to it. Where it does, it plans
 * a statement with every execution if the values at hand promise less work than any others: planning took 300 us of the
 * 350 of reading one run by its id, and 120 of the 200 of reading the batches of a log.
 */
export function unseen<Value>(
  value: RawBuilder<Value>,
  type: "int" | "text" | "text[]" | "bigint[]" | "bytea[]",
): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`;
}

/** Whether the column has one of the items of an argument: one text for any number of them. */
export function isAnyOf<Item>(items: RawBuilder<readonly Item[]>, type: "text" | "bytea" = "text"): RawBuilder<Item> {
  // Without the second type the subquery would be asked for rows.
  return sql<Item>`any(${unseen(items, `${type}[]`)}::${sql.raw(type)}[])`;
}

/**
 * Selects the items of a list, for `in`: Postgres reads the rows of each item separately, by the index. For tables of some thousand rows: with `isAnyOf`
 * Postgres gathers the places of their rows first, and what is not in its memory is then read by processes of its own
 * (`io_method`), which are woken for nearly every row: on two cores four times for each statement.
 */
export function eachOf(items: RawBuilder<readonly string[]>): RawBuilder<string> {
  return sql<string>`(select unnest(${unseen(items, "text[]")}))`;
}

/** An argument among the parameters of a template, in place of a value. */
class Argument {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Makes text of statements, and has no database. */
function compiler(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
