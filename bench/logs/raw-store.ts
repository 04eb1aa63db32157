/** Stores lines without a server: each post is compressed and inserted in a transaction of its own, by one process. */
import { randomUUID } from "node:crypto";
import { Pool, type PoolConfig } from "pg";
import { encodeLines } from "../../src/persistence/log/log-codec.ts";
import type { Line } from "./lines.ts";
import type { Writers } from "./protocol.ts";

export interface RawStore extends AsyncDisposable {
  open(count: number, posts: readonly (readonly Line[])[]): Writers;
}

/** The rest of the product's table if nothing but the lines is stored: no head, no order, no limits. */
const TABLE = `create table raw_log (
  log uuid not null, last_line int not null, first_line int not null, body bytea not null, primary key (log, last_line))`;

export async function openRawStore(connection: PoolConfig): Promise<RawStore> {
  const pool = new Pool(connection);
  await pool.query(TABLE);
  return {
    open: (count, posts) => async (ms) => {
      const end = performance.now() + ms;
      const counts = await Promise.all(Array.from({ length: count }, () => write(pool, posts, end)));
      return counts.reduce((sum, one) => sum + one, 0);
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

export interface RawBatch {
  readonly log: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly body: Buffer;
}

export async function insertRaw(pool: Pool, { log, firstLine, lastLine, body }: RawBatch): Promise<void> {
  await pool.query({
    name: "raw",
    text: "insert into raw_log (log, last_line, first_line, body) values ($1, $2, $3, $4)",
    values: [log, lastLine, firstLine, body],
  });
}

async function write(pool: Pool, posts: readonly (readonly Line[])[], end: number): Promise<number> {
  const log = randomUUID();
  let taken = 0;
  for (let index = 0; performance.now() < end; index += 1) {
    const lines = posts[index % posts.length] ?? [];
    const [firstLine, lastLine] = [taken + 1, taken + lines.length];
    await insertRaw(pool, { log, firstLine, lastLine, body: encodeLines(lines) });
    taken = lastLine;
  }
  return taken;
}
