/** The statements of the peers' resolvers: named ones, so that Postgres parses and plans each once a connection. */
import type { Pool } from "pg";

export interface RunRow {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly trigger: string;
  readonly message: string | null;
  readonly created_at: Date;
  readonly workspace_id: string;
  readonly created_by: string;
}

/** A row that a run belongs to. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

export interface PhaseRow {
  readonly run_id: string;
  readonly kind: string;
  readonly status: string;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface RunPage {
  readonly edges: { readonly cursor: string; readonly node: RunRow }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
}

const COLUMNS = "id, number, status, trigger, message, created_at, workspace_id, created_by";

export type Store = ReturnType<typeof createStore>;

export function createStore(pool: Pool) {
  async function rows<Row extends object>(name: string, text: string, parameters: unknown[]): Promise<Row[]> {
    return (await pool.query<Row>({ name, text, values: parameters })).rows;
  }
  async function named(name: string, table: string, ids: readonly string[]): Promise<(NamedRow | undefined)[]> {
    const distinct = [...new Set(ids)];
    const text = `select id, name from ${table} where id = any ($1)`;
    const found = new Map((await rows<NamedRow>(name, text, [distinct])).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  }
  return {
    async workspace(id: string): Promise<{ id: string; name: string } | undefined> {
      return (
        await rows<{ id: string; name: string }>("workspace", "select id, name from workspace where id = $1", [id])
      )[0];
    },
    async run(id: string): Promise<RunRow | undefined> {
      return (await rows<RunRow>("run", `select ${COLUMNS} from run where id = $1`, [id]))[0];
    },
    async runsOfWorkspace(id: string, page: PageArguments): Promise<RunPage> {
      const text = `select ${COLUMNS} from run where workspace_id = $1 order by id desc limit $2`;
      return toPage(await rows<RunRow>("page", text, [id, page.first + 1]), page.first);
    },
    async runs({ first, after }: PageArguments): Promise<RunPage> {
      const found =
        typeof after === "string"
          ? rows<RunRow>("after", `select ${COLUMNS} from run where id < $1 order by id desc limit $2`, [
              readCursor(after),
              first + 1,
            ])
          : rows<RunRow>("newest", `select ${COLUMNS} from run order by id desc limit $1`, [first + 1]);
      return toPage(await found, first);
    },
    /** In the order of the ids, for a data loader. */
    workspaces: (ids: readonly string[]) => named("workspaces", "workspace", ids),
    actors: (ids: readonly string[]) => named("actors", "actor", ids),
    async phasesOf(runIds: readonly string[]): Promise<PhaseRow[][]> {
      const text =
        "select run_id, kind, status, started_at, finished_at from phase where run_id = any ($1) order by id";
      const found = new Map<string, PhaseRow[]>(runIds.map((id) => [id, []]));
      for (const row of await rows<PhaseRow>("phases", text, [runIds])) found.get(row.run_id)?.push(row);
      return runIds.map((id) => found.get(id) ?? []);
    },
  };
}

export function writeCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

export function readCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString();
}

function toPage(found: readonly RunRow[], first: number): RunPage {
  const edges = found.slice(0, first).map((node) => ({ cursor: writeCursor(node.id), node }));
  return { edges, pageInfo: { hasNextPage: found.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}
