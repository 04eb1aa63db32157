/** The product as it is shipped: a process of its own, on a database of the benchmark. */
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../measure/process.ts";
import { serveCommand } from "./serve-arguments.ts";

export interface ProductOptions {
  /** An empty folder, or that of an earlier start. */
  readonly dataDir: string;
  /** Settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One token makes all of the load. */
export const WITHOUT_LIMITS = {
  HOLDPOINT_LIMIT_POINTS_PER_MINUTE: "0",
  HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE: "0",
  HOLDPOINT_LIMIT_UPLOADS_PER_HOUR: "0",
  HOLDPOINT_LIMIT_SUBSCRIPTIONS: "0",
};

export function startProduct({ dataDir, env = {} }: ProductOptions): Promise<ServerProcess> {
  const command = serveCommand();
  return startServerProcess({
    arguments: command.arguments,
    ready: /Holdpoint listens on (\S+)/,
    env: { ...command.env, HOLDPOINT_DATA_DIR: dataDir, HOLDPOINT_PORT: "0", ...WITHOUT_LIMITS, ...env },
  });
}

/** On a database that is there already, without a runner. */
export function startProductOn(
  database: { readonly url: string; readonly masterKey: string; readonly adminToken: string },
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startProduct({
    dataDir: join(folder, "data"),
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: database.masterKey,
      HOLDPOINT_ADMIN_TOKEN: database.adminToken,
      HOLDPOINT_RUNNER_SLOTS: "0",
      ...env,
    },
  });
}
