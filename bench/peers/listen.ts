/** How every peer is started: the database as JSON in the first argument, a free port, one line when it listens. */
import type { Server } from "node:http";
import { argv } from "node:process";
import { Pool, type PoolConfig } from "pg";

/** As many connections as Holdpoint has. */
const CONNECTIONS = 20;
/** Matches the line that `startServerProcess` waits for. */
export const LISTENS = /listens on (http:\S+)/;

/** A pool as node-postgres makes it. */
export function openPool(): Pool {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- from our own parent
  const connection = JSON.parse(argv[2] ?? "") as PoolConfig;
  return new Pool({ ...connection, max: CONNECTIONS });
}

export function reportUrl(url: string): void {
  console.log(`listens on ${url}`);
}

/** Listens on a free port of the loopback address. */
export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) reportUrl(`http://127.0.0.1:${address.port}`);
  });
}
