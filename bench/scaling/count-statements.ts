/** Preloaded into a server: counts what it sends to Postgres, and writes the number to a file at SIGUSR2. */
import { renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Pg from "pg";

/** The product's, which may be another one than the benchmark's. */
const pg: typeof Pg = createRequire(new URL("../../src/main.ts", import.meta.url))("pg");
// oxlint-disable-next-line node/no-process-env -- it has no arguments of its own
const file = process.env["SCALING_STATEMENTS"];
let count = 0;

// oxlint-disable-next-line typescript/unbound-method -- it is called with the client that it was found at
pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(query, client, args) {
    count += 1;
    return Reflect.apply(query, client, args);
  },
});

process.on("SIGUSR2", () => {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, String(count));
  renameSync(`${file}.new`, file);
});
