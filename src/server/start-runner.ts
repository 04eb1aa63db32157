/** Starts the runner of the server's own machine. */
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { type EmbeddedSettings, REFUSED_EXIT } from "../runner/embedded-messages.ts";
import type { FoundEngine } from "../runner/engine/engine-discovery.ts";
import { type EmbeddedRunner, startEmbeddedRunner } from "../workers/embedded-runner.ts";
import type { Config } from "./config.ts";
import { VERSION } from "../model/kit/version.ts";

export interface RunnerStart {
  config: Config;
  engine: FoundEngine | null;
  log: Logger;
  uid: number | undefined;
}

/** Starts the runner of a server that listens. */
export function startRunner(
  { config, engine, log, uid }: RunnerStart,
  token: string,
  http: { host: string; port: number },
): EmbeddedRunner {
  const anywhere = http.host === "0.0.0.0" || http.host === "::";
  const host = anywhere ? "127.0.0.1" : http.host;
  const settings: EmbeddedSettings = {
    serverUrl: `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`,
    token,
    name: config.runnerName,
    version: VERSION,
    labels: [...config.runnerLabels],
    pool: null,
    slots: config.runnerSlots,
    engine,
    workDir: join(config.dataDir, "runner"),
    engineUid: uid === 0 ? config.engineSettings.firstUid : null,
    isolation: { bounds: config.engineSettings.bounds, prefix: [...config.engineSettings.prefix] },
    inherited: { ...config.inherited },
    probing: config.runnerProbing,
    logLevel: config.logLevel,
  };
  const module = new URL("../runner/embedded.ts", import.meta.url);
  // A process reads the folder of its cache from the environment, before its first import.
  const cache = getCompileCacheDir();
  const env = { ...config.inherited, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) };
  return startEmbeddedRunner({ module, settings, env, refusedExit: REFUSED_EXIT, log });
}
