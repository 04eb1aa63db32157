/** The data folder and the database of a server. This module imports little, so that the database starts while the rest is loaded. */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import {
  type EmbeddedPostgres,
  type PostgresConnection,
  startEmbeddedPostgres,
} from "../persistence/embedded/embedded-postgres.ts";
import { ownIdentity } from "../os/process-identity.ts";

export interface Foundation extends AsyncDisposable {
  readonly folder: DataFolder;
  /** Resolves with the address of the database when the database answers. */
  connection(): Promise<PostgresConnection | { connectionString: string }>;
}

export interface FoundationOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly uid: number | undefined;
  /** Called when the embedded Postgres ends unexpectedly. */
  readonly onFatal: (error: Error) => void;
}

/** Claims the data folder and, without another database, starts its Postgres. It does not wait until that is ready. */
export async function openFoundation({ config, log, uid, onFatal }: FoundationOptions): Promise<Foundation> {
  const { dataDir, databaseUrl } = config;
  const identity = ownIdentity();
  const folder = await openDataFolder({ dir: dataDir, uid, identity, randomBytes: (size) => randomBytes(size) });
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    return { folder, connection: () => Promise.resolve(connection), [Symbol.asyncDispose]: () => folder.release() };
  }
  const spawned = Promise.withResolvers<void>();
  const stop = new AbortController();
  const starting = startEmbeddedPostgres({
    dataDir,
    log: log.child({ component: "postgres" }),
    uid,
    signal: stop.signal,
    onSpawn: spawned.resolve,
  });
  let expected = false;
  starting.then(
    (postgres) => watch(postgres, (error) => expected || onFatal(error)),
    () => undefined,
  );
  // A failed start is reported by `connection`.
  await Promise.race([spawned.promise, starting.catch(() => undefined)]);
  return {
    folder,
    connection: async () => (await starting).connection,
    async [Symbol.asyncDispose]() {
      expected = true;
      stop.abort();
      await (await starting.catch(() => null))?.stop();
      await folder.release();
    },
  };
}

function watch(postgres: EmbeddedPostgres, onEnd: (error: Error) => void): void {
  void postgres.exited.then(({ code, signal }) => {
    onEnd(new Error(`The embedded Postgres ended unexpectedly (${signal ?? code ?? "unknown"}).`));
  });
}
