/** Indexes are made after the rows: one sort costs a fraction of a million single insertions. */
import type { Client } from "pg";

interface Statement {
  readonly drop: string;
  readonly make: string;
}

/** Drops every index of these tables that no foreign key needs, and gives the statements that make them again. */
export async function dropIndexes(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<Statement>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint c where conrelid::regclass::text = any ($1) and contype = 'u'
        and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index where indrelid::regclass::text = any ($1)
        and not exists (select from pg_constraint c where c.conindid = indexrelid)`,
    [tables],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}
