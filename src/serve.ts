/** `npm start`: starts the server, says where everything is, and ends with its signals. */
import { pino } from "pino";
import { type App, startApp } from "./app.ts";
import { type Config, loadConfig } from "./config.ts";
import { DataFolderError } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./persistence/embedded/error.ts";
import { InstallationError } from "./persistence/installation-store.ts";
import { MigrationError } from "./persistence/migrate.ts";
import { findEngine } from "./runner/find-engine.ts";
import type { FoundEngine } from "./runner/runner-options.ts";
import { AlreadyRunningError } from "./server-claim.ts";
import { ConfigError, type LogLevel } from "./setting.ts";
import { StartError } from "./start-error.ts";

/** Errors whose message is all that a person needs. */
const EXPECTED = [
  ConfigError,
  AlreadyRunningError,
  DataFolderError,
  EmbeddedPostgresError,
  InstallationError,
  MigrationError,
  StartError,
] as const;

const STDERR = 2;
const REDACTED = ["token", "secret", "authorization", "*.token", "*.secret", "*.authorization", "settings"];

/** The log of a process: JSON lines on standard error, without credentials. */
export function createLog(level: LogLevel) {
  return pino(
    { level, base: null, redact: { paths: REDACTED, censor: "(hidden)" } },
    pino.destination({ fd: STDERR, sync: true }),
  );
}

/** Runs until a signal; gives the exit code. */
export async function serve(): Promise<number> {
  try {
    return await run();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

async function run(): Promise<number> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const engine = await findEngine(config.engine, config.inherited);
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let signals = 0;
  let app: App | null = null;
  const onSignal = (): void => {
    signals += 1;
    if (signals === 1) end(0);
    else app?.interrupt();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  app = await startApp({
    config,
    engine,
    log,
    uid: process.getuid?.(),
    onFatal: (error) => {
      log.fatal({ err: error }, error.message);
      end(1);
    },
  });
  process.stdout.write(welcome(app, engine, config));
  const code = await ended;
  if (config.runnerSlots > 0) {
    process.stdout.write("Stopping: plans are handed back, a running apply is waited for. Again to interrupt it.\n");
  }
  await app.stop();
  return code;
}

function welcome({ url, adminTokenPath }: App, engine: FoundEngine | null, config: Config): string {
  const found = engine === null ? null : `${engine.name} ${engine.version} (${engine.path})`;
  const missing = "none found: install terraform or tofu on PATH, or set HOLDPOINT_ENGINE, then start again";
  const rows = [
    ["GraphQL", `${url}/graphql  (also graphql-transport-ws)`],
    ["GraphiQL", `${url}/graphql  in a browser`],
    ["Admin token", adminTokenPath ?? "the value of HOLDPOINT_ADMIN_TOKEN"],
    ["Engine", found ?? missing],
    ["Runner", config.runnerSlots === 0 ? "none (HOLDPOINT_RUNNER_SLOTS=0)" : `${config.runnerSlots} slots`],
    ["Stop", "Ctrl-C"],
  ];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(12)} ${value}\n`);
  return `Holdpoint listens on ${url}\n${lines.join("")}`;
}

/** What a person is told about an error that ended a command. */
export function explain(error: unknown, failed = "Holdpoint could not start"): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((type) => error instanceof type)) return error.message;
  if (error.message.startsWith("HOLDPOINT_")) return error.message;
  if ("code" in error && typeof error.code === "string") return `${failed}: ${error.message || error.code}`;
  return `${failed}: ${error.stack ?? error.message}`;
}
