/** `npm run runner`: a runner in a process of its own, on this machine or any other that reaches the server. */
import { randomBytes } from "node:crypto";
import http from "node:http";
import type { Logger } from "pino";
import { TokenRefused, WrongPool, WrongServer } from "../runner/server/pool-check.ts";
import { findEngine, type FoundEngine } from "../runner/engine/engine-discovery.ts";
import { startRunner } from "../runner/runner.ts";
import type { Runner } from "../runner/runner-options.ts";
import { loadRunnerConfig, type RunnerConfig } from "./runner-config.ts";
import { createLog, explain } from "./serve.ts";
import { ConfigError } from "./setting.ts";
import { IGNORED_SIGNAL, obeyStopSignals, STOP_TEXTS } from "./stop-signals.ts";
import { VERSION } from "../model/kit/version.ts";

const EXIT = { drained: 0, failed: 1, configuration: 2, tokenRefused: 3 } as const;
const ID_BYTES = 20;

/** Runs until it is drained; gives the exit code. */
export async function runner(argv: string[]): Promise<number> {
  try {
    return await run(loadRunnerConfig(argv));
  } catch (error) {
    const isPlain = [TokenRefused, WrongPool, WrongServer].some((type) => error instanceof type);
    const message = isPlain && error instanceof Error ? error.message : explain(error, "The runner failed");
    process.stderr.write(`${message}\n`);
    if (error instanceof TokenRefused) return EXIT.tokenRefused;
    return error instanceof ConfigError || error instanceof WrongPool ? EXIT.configuration : EXIT.failed;
  }
}

async function run(config: RunnerConfig): Promise<number> {
  const { serverUrl, token, pool, name, slots, workDir, engineSettings } = config;
  const log = createLog(config.logLevel);
  // HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold for all requests of this process.
  http.setGlobalProxyFromEnv({ ...config.inherited });
  const engine = await findEngine(config.engine, config.inherited).catch((error: unknown) => {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  });
  process.stdout.write(welcome(config, engine));
  const runner = startRunner({
    serverUrl,
    token,
    pool,
    name,
    version: VERSION,
    slots,
    labels: [...config.labels],
    engine,
    workDir,
    engineUid: process.getuid?.() === 0 ? engineSettings.firstUid : null,
    isolation: { bounds: engineSettings.bounds, prefix: [...engineSettings.prefix] },
    inherited: { ...config.inherited },
    sendsChecks: config.sendsChecks,
    networkAllow: config.networkAllow,
    probing: config.probing,
    log,
    clock: () => new Date(),
    randomId: () => randomBytes(ID_BYTES).toString("hex"),
  });
  obeySignals(runner, log);
  await runner.done;
  return EXIT.drained;
}

function obeySignals(runner: Runner, log: Logger): void {
  obeyStopSignals({
    drain() {
      process.stdout.write(`Draining: ${STOP_TEXTS.draining}\n`);
      runner.drain();
    },
    interrupt() {
      process.stdout.write(`${STOP_TEXTS.interrupting}\n`);
      runner.interrupt();
    },
    onEcho: (signal) => log.debug({ signal }, IGNORED_SIGNAL),
  });
}

function welcome(
  { serverUrl, pool, name, slots, labels, workDir, sendsChecks, probing }: RunnerConfig,
  engine: FoundEngine | null,
): string {
  const found = engine === null ? "none found: install terraform or tofu on PATH, or set --engine" : engine;
  const rows = [
    ["Server", serverUrl],
    ["Pool", pool],
    ["Slots", `${slots}`],
    ["Checks", sendsChecks ? "sends requests of external checks" : "none"],
    ["Probes", probing === null ? "none" : `at most ${probing.perSecond} in a second`],
    ["Labels", labels.length === 0 ? "none" : labels.join(", ")],
    ["Work folder", workDir],
    ["Engine", typeof found === "string" ? found : `${found.name} ${found.version} (${found.path})`],
    ["Stop", "Ctrl-C"],
  ];
  const lines = rows.map(([title = "", value = ""]) => `  ${title.padEnd(12)} ${value}\n`);
  return `Holdpoint runner ${name}, version ${VERSION}\n${lines.join("")}`;
}
