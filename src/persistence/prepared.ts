import {
  type Compilable,
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

/** The place of an argument in a statement, where a value would stand. */
export interface Slot<Args> {
  <Name extends keyof Args & string>(name: Name): RawBuilder<Args[Name]>;
}

/** Asks a statement with these arguments; the rows are its answer. */
export type Prepared<Args, Row> = (reader: Reader, args: Args) => Promise<Row[]>;

/**
 * A statement that is built and turned into text once, when it is first asked. For the reads of every request: building
 * one costs some 70 us of the server's time, as much as everything else that the server does for it.
 */
export function prepared<Args extends object, Row>(
  build: (db: Kysely<Tables>, slot: Slot<Args>) => Compilable<Row>,
): Prepared<Args, Row> {
  let template: CompiledQuery<Row> | undefined;
  return async (reader, args) => {
    template ??= build(compiler(), (name) => sql`${new Argument(name)}`).compile();
    const given = new Map<string, unknown>(Object.entries(args));
    const parameters = template.parameters.map((one) => (one instanceof Argument ? given.get(one.name) : one));
    const { rows } = await reader.sql.executeQuery<Row>({ ...template, parameters });
    return rows;
  };
}

/**
 * Whether the column has one of the items of an argument: one text for any number of them.
 *
 * Postgres plans a prepared statement with every execution where it knows the items and they are fewer than it expects
 * of an array that it does not know, ten. Planning took 300 us of the 350 of reading a run, so it does not see them: what
 * a subquery gives is not known to it.
 */
export function isAnyOf<Item>(items: RawBuilder<readonly Item[]>, type: "text" | "bytea" = "text"): RawBuilder<Item> {
  const array = sql.raw(`${type}[]`);
  return sql<Item>`any((select ${items}::${array})::${array})`;
}

/** What a template has among its parameters in place of a value. */
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
