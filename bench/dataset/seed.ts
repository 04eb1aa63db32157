/** Fills a migrated, empty database; a million runs take about a minute on two cores. */
import { zstdCompressSync } from "node:zlib";
import { Client, type PoolConfig } from "pg";
import { hashSecret } from "../../src/domain/token/secret.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { encodeLines, streamBits, textBytes } from "../../src/persistence/log/log-codec.ts";
import { dropIndexes } from "./indexes.ts";
import { FIRST_RUN_AT_MS, ID_FUNCTION, idOf, loggedRunId, type Shape } from "./ids.ts";
import { events, logHeads, phases, plans, runs, admissionConditions } from "./rows.ts";

const LINES_PER_BATCH = 500;
/** Settings of the session. Foreign keys and the guard of runs are off; a test checks that the data set obeys them. */
const SESSION = [
  "set session_replication_role = replica",
  "set maintenance_work_mem = '512MB'",
  "set synchronous_commit = off",
  "set timezone = 'UTC'",
  "set jit = off",
  ID_FUNCTION,
];

export interface SeedSecrets {
  /** The secret of a token with the role ADMIN. */
  readonly token: string;
  /** 64 hexadecimal digits. */
  readonly masterKey: string;
}

export async function seed(connection: PoolConfig, shape: Shape, secrets: SeedSecrets): Promise<void> {
  const [first, second] = await Promise.all([open(connection), open(connection)]);
  try {
    for (const statement of admissionConditions(shape)) await first.query(statement);
    await writeSecrets(first, secrets);
    const makeOfRuns = await dropIndexes(first, ["run", "plan"]);
    const makeOfOthers = await dropIndexes(first, ["phase", "run_event", "log_head"]);
    // Two at a time: each of them keeps one core busy.
    await Promise.all([
      inTurns(first, [runs(shape), logHeads(shape), ...makeOfRuns]),
      inTurns(second, [phases(shape), events(shape), ...makeOfOthers]),
    ]);
    await first.query(plans(shape), [zstdCompressSync("Plan: 1 to add, 0 to change, 0 to destroy.")]);
    await writeLog(second, shape);
    await first.query("vacuum analyze");
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

async function open(connection: PoolConfig): Promise<Client> {
  const client = new Client(connection);
  await client.connect();
  for (const statement of SESSION) await client.query(statement);
  return client;
}

async function inTurns(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

async function writeSecrets(client: Client, { token, masterKey }: SeedSecrets): Promise<void> {
  const at = new Date(FIRST_RUN_AT_MS).toISOString();
  const id = idOf("token", FIRST_RUN_AT_MS, "benchmark");
  // A token that is not used for long ends, and the data set is kept.
  await client.query(
    `insert into token (id, name, actor_id, role, secret_hash, created_at, last_used_at)
      values ($1, 'benchmark', $2, 'ADMIN', $3, $4, $4::timestamptz + interval '100 years')`,
    [id, ADMIN_ACTOR_ID, hashSecret(token), at],
  );
  const check = createCipher(Buffer.from(masterKey, "hex")).mac("key-check", "holdpoint");
  await client.query("insert into installation (key_check) values ($1)", [check]);
}

/** As the product writes it: batches of its own codec, and the sums at the head. */
async function writeLog(client: Client, shape: Shape): Promise<void> {
  const runId = loggedRunId(shape);
  let bytes = 0;
  for (let first = 1; first <= shape.logLineCount; first += LINES_PER_BATCH) {
    const lines = Array.from({ length: LINES_PER_BATCH }, (_, index) => logLine(first + index));
    bytes += textBytes(lines);
    await client.query(
      `insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
        values ($1, $2, $3, 'APPLY', 1, $4, $5, $6)`,
      [runId, first + lines.length - 1, first, encodeLines(lines), textBytes(lines), streamBits(["STDOUT"])],
    );
  }
  await client.query(
    `update log_head set last_line = $2, bytes = $3, phase_bytes = jsonb_build_object('APPLY:1', $3::bigint),
      appended_at = $4 where run_id = $1`,
    [runId, shape.logLineCount, bytes, new Date(FIRST_RUN_AT_MS + 80_000).toISOString()],
  );
}

function logLine(number: number): { at: string; text: string } {
  return {
    at: new Date(FIRST_RUN_AT_MS + 60_000 + Math.floor(number / 50)).toISOString(),
    text: `aws_instance.node[${number % 977}]: Still creating... [${number % 3600}s elapsed] request ${(number * 2_654_435_761) % 4_294_967_296}`,
  };
}
