/** A thousand lines out of a million: through the API, and by the statement that it comes down to. */
import { Agent } from "node:http";
import { Client, type PoolConfig } from "pg";
import { post } from "./post.ts";
import { decodeLines } from "../../src/persistence/log/log-codec.ts";
import type { LogLine } from "../../src/model/log/log.ts";

export const LINES = 1000;
export const READS = ["range", "tail"] as const;
export type Read = (typeof READS)[number];

/** A range begins after a multiple of so many lines; no page of the API has more. */
const STEP = 5000;
const PLACES = 20;

/** Reads once; `number` chooses the place of a range. Gives how many lines came. */
export type Reader = (read: Read, number: number) => Promise<number>;

/** Selects the fields of each line that the SQL side makes JSON of, and the cursor of the next page. */
const QUERY = `query($id: ID!, $first: Int, $last: Int, $after: String) {
  run(id: $id) {
    log(first: $first, last: $last, after: $after) {
      edges { node { number at phase attempt stream text } }
      pageInfo { endCursor }
    }
  }
}`;

/** Asks the API for what a page of a log shows. `places`: at how many a range may begin. */
export async function createApiReader(
  url: string,
  token: string,
  runId: string,
): Promise<{ reader: Reader; places: number }> {
  // Not fetch, which needs longer for so much text than the server.
  const agent = new Agent({ keepAlive: true });
  const ask = (variables: Record<string, unknown>): Promise<string> =>
    post(`${url}/graphql`, agent, token, JSON.stringify({ query: QUERY, variables: { id: runId, ...variables } }));
  // Cursors are the API's: each range begins where an earlier page has ended.
  const ends: string[] = [];
  for (let after: string | null = null; ends.length <= PLACES; ) {
    const text = await ask({ first: STEP, ...(after !== null && { after }) });
    after = /"endCursor":"([^"]+)"/.exec(text)?.[1] ?? null;
    if (after === null) break;
    ends.push(after);
  }
  // Behind the last one there may be nothing.
  const places = ends.slice(0, -1);
  if (places.length === 0) throw new Error("The large log cannot be read.");
  const reader: Reader = async (read, number) => {
    const after = places[number % places.length];
    const text = await ask(read === "tail" ? { last: LINES } : { first: LINES, after });
    return text.split('"number":').length - 1;
  };
  return { reader, places: places.length };
}

interface Row {
  readonly first_line: number;
  readonly last_line: number;
  readonly phase: string;
  readonly attempt: number;
  readonly body: Buffer;
}

/** On a connection of its own, in this process: the rows, decompressed, split into lines and made JSON. */
export async function openSqlReader(
  connection: PoolConfig,
  runId: string,
  places: number,
): Promise<Reader & AsyncDisposable> {
  const client = new Client(connection);
  await client.connect();
  const columns = "first_line, last_line, phase, attempt, body";
  const rows = async (name: string, text: string, values: unknown[]): Promise<Row[]> => {
    return (
      await client.query<Row>({ name, text: `select ${columns} from log_batch where run_id = $1 ${text}`, values })
    ).rows;
  };
  const read: Reader = async (kind, number) => {
    const lines: LogLine[] = [];
    if (kind === "tail") {
      const found = await rows("tail", "order by last_line desc limit 3", [runId]);
      for (const row of found.toReversed()) lines.push(...decodeLines(row));
      return sent(lines.slice(-LINES));
    }
    const after = ((number % places) + 1) * STEP;
    const found = await rows("range", "and last_line > $2 order by last_line limit 3", [runId, after]);
    for (const row of found) lines.push(...decodeLines(row).filter((line) => line.number > after));
    return sent(lines.slice(0, LINES));
  };
  return Object.assign(read, { [Symbol.asyncDispose]: () => client.end() });
}

/** Makes the JSON of an answer, and gives the number of its lines. */
function sent(lines: readonly LogLine[]): number {
  return JSON.stringify(lines).split('"number":').length - 1;
}
