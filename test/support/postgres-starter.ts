// A process that starts the embedded Postgres, commits a row, prints the postmaster's pid, and stays until it is killed.
import { Client } from "pg";
import { startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";

const [dataDir = ""] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {} };
const postgres = await startEmbeddedPostgres({ dataDir, log, uid: process.getuid?.() });
const client = new Client({ ...postgres.connection });
await client.connect();
await client.query("CREATE TABLE committed AS SELECT 1 AS n");
console.log(postgres.pid);
setInterval(() => {}, 1000);
