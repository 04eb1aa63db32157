/** Searches a log from a line on. Bodies are compressed, so the server decompresses and searches them, batch by batch. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { sql } from "kysely";
import { createLineSearch, type LineSearch, type LogMatch } from "../../model/log/log-search.ts";
import type { Page } from "../../model/kit/page.ts";
import type { Reader } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import { type BatchRow, decodeLines } from "./log-codec.ts";

export interface LogSearch {
  runId: string;
  text: string;
  /** Lines up to this number are not searched. */
  after: number;
  /** The most matches. */
  limit: number;
  /** Behind so many bytes of text the search stops. */
  maxBytes: number;
}

/** The first matches. Further ones may follow, if `hasNextPage`, behind the line `searchedTo`. */
export interface LogMatches extends Page<LogMatch> {
  searchedTo: number;
}

/** The bodies that are in memory at a time. */
const BATCHES_PER_READ = 8;

type Batch = BatchRow & { last_line: number; bytes: number };

const batchesAfter = prepared((db, slot: Slot<{ runId: string; after: number }>) =>
  db
    .selectFrom("log_batch")
    .select(["first_line", "last_line", "phase", "attempt", "body", "bytes"])
    .where("run_id", "=", slot("runId"))
    .where("last_line", ">", slot("after"))
    .orderBy("last_line")
    .limit(sql.lit(BATCHES_PER_READ)),
);

/** Finds the first lines that have a text, without regard to case. */
export async function listLogMatches(
  reader: Reader,
  { runId, text, after, limit, maxBytes }: LogSearch,
): Promise<LogMatches> {
  const search = createLineSearch(text);
  const items: LogMatch[] = [];
  let [searchedTo, bytes] = [after, 0];
  const pageTo = (line: number, more: boolean): LogMatches => ({
    items,
    searchedTo: line,
    hasNextPage: more,
    hasPreviousPage: after > 0,
  });
  if (limit === 0) return pageTo(after, true);
  for (;;) {
    const rows: Batch[] = await batchesAfter(reader, { runId, after: searchedTo });
    for (const [index, row] of rows.entries()) {
      if (bytes >= maxBytes) return pageTo(searchedTo, true);
      for (const match of matchesIn(row, search, searchedTo)) {
        items.push(match);
        if (items.length < limit) continue;
        const isLast = index === rows.length - 1 && rows.length < BATCHES_PER_READ;
        return pageTo(match.line.number, !isLast || match.line.number < row.last_line);
      }
      searchedTo = row.last_line;
      bytes += row.bytes;
      // Other requests of the server proceed between two batches.
      await nextTurn();
    }
    if (rows.length < BATCHES_PER_READ) return pageTo(searchedTo, false);
  }
}

function* matchesIn(row: Batch, search: LineSearch, after: number): Generator<LogMatch, void, undefined> {
  // Few batches have the text: the lines of the others are not made.
  if (!search.mayMatch(zstdDecompressSync(row.body).toString())) return;
  for (const line of decodeLines(row, Math.max(row.first_line, after + 1))) {
    const spans = search.spansIn(line.text);
    if (spans.length > 0) yield { line, spans };
  }
}
