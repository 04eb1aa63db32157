/** `npm start`: starts the server, prints its addresses, and stops at a signal. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import type { App } from "../app.ts";
import { openLogDestination } from "../os/log-destination.ts";
import { type Config, loadConfig } from "./config.ts";
import { type Foundation, openFoundation } from "./foundation.ts";
import { findGitVersion, isNewEnough, OLDEST_GIT } from "../domain/source/git-version.ts";
import { findEngine, type FoundEngine } from "../runner/engine/engine-discovery.ts";
import type { LogLevel } from "./setting.ts";
import { publicUrlOf } from "./public-url.ts";
import { IGNORED_SIGNAL, obeyStopSignals, STOP_TEXTS } from "./stop-signals.ts";

/** Errors whose message is all that a person needs, by name: importing them would delay the start of the database. */
const EXPECTED: readonly string[] = [
  "ConfigError",
  "AlreadyRunningError",
  "DataFolderError",
  "EmbeddedPostgresError",
  "InstallationError",
  "MigrationError",
  "SecretFileError",
  "StartError",
];

const STDERR = 2;
const REDACTED = ["token", "secret", "authorization", "*.token", "*.secret", "*.authorization", "settings"];

/** The log of a process: JSON lines on standard error, without credentials. */
export function createLog(level: LogLevel) {
  return pino({ level, base: null, redact: { paths: REDACTED, censor: "(hidden)" } }, openLogDestination(STDERR));
}

/** Runs the server until a signal; gives the exit code. */
export async function serve([argument]: string[]): Promise<number> {
  if (argument !== undefined) {
    // The text after the sign may be a secret.
    const [option = ""] = argument.split("=");
    process.stderr.write(
      `npm start takes no arguments, and has ${option}. See npm start -- --help for the settings.\n`,
    );
    return 2;
  }
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
  const uid = process.getuid?.();
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const starting = new AbortController();
  let app: App | null = null;
  obeyStopSignals({
    drain() {
      starting.abort();
      end(0);
    },
    interrupt() {
      if (config.runnerSlots > 0) process.stdout.write(`${STOP_TEXTS.interrupting}\n`);
      app?.interrupt();
    },
    onEcho: (signal) => log.debug({ signal }, IGNORED_SIGNAL),
  });
  // A library may leave a promise unhandled, which is no reason to end the requests and streams of all clients.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "Unhandled promise rejection"));
  const onFatal = (error: Error): void => {
    log.fatal({ err: error }, error.message);
    end(1);
  };
  // The longest wait of a start beside its modules, so it begins first. `load` handles a failure.
  const engine = config.runnerSlots === 0 ? Promise.resolve(null) : findEngine(config.engine, config.inherited);
  engine.catch(() => undefined);
  const git = findGitVersion(config.inherited["PATH"] ?? "", starting.signal);
  git.catch(() => undefined);
  const foundation = await openFoundation({ config, log, uid, onFatal });
  const { startApp, found } = await load(engine, foundation);
  app = await startApp({ config, foundation, engine: found, log, uid, signal: starting.signal });
  process.stdout.write(welcome(app, { engine: found, git: await git }, config));
  const code = await ended;
  if (config.runnerSlots > 0) {
    process.stdout.write(`Stopping: ${STOP_TEXTS.draining}\n`);
  }
  await app.stop();
  return code;
}

/** Loads the rest of the program while the database and the engine start. */
async function load(engine: Promise<FoundEngine | null>, foundation: Foundation) {
  try {
    const [{ startApp }, found] = await Promise.all([loadApp(), engine]);
    return { startApp, found };
  } catch (error) {
    await foundation[Symbol.asyncDispose]();
    throw error;
  }
}

/** Loads the application in parts, with turns of the event loop between them for the connection to the database. */
async function loadApp() {
  const parts = [
    () => import("../persistence/database/database.ts"),
    () => import("graphql-yoga"),
    () => import("../graphql/server/schema.ts"),
  ];
  for (const part of parts) {
    await part();
    await nextTurns();
  }
  return import("../app.ts");
}

/** Waits for some turns, which a handshake with the database needs. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

interface Found {
  engine: FoundEngine | null;
  /** The version of git; `null` if there is none. */
  git: string | null;
}

function welcome(app: App, { engine, git }: Found, config: Config): string {
  const { url, adminTokenPath } = app;
  const found = engine === null ? null : `${engine.name} ${engine.version} (${engine.path})`;
  const missing =
    config.runnerSlots === 0
      ? "none needed: runners have their own"
      : "none found: install terraform or tofu on PATH, or set HOLDPOINT_ENGINE, then start again";
  const rows = [
    ["Console", describeConsole(app, config)],
    ["GraphQL", `${url}/graphql  (also graphql-transport-ws)`],
    ["GraphiQL", `${url}/graphql  in a browser`],
    ["Admin token", config.adminToken === null ? "none" : (adminTokenPath ?? "the value of HOLDPOINT_ADMIN_TOKEN")],
    ["Engine", found ?? missing],
    ["Git", describeGit(git)],
    ["Runner", config.runnerSlots === 0 ? "none (HOLDPOINT_RUNNER_SLOTS=0)" : `${config.runnerSlots} slots`],
    ["Stop", "Ctrl-C"],
  ];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(12)} ${value}\n`);
  return `Holdpoint listens on ${url}\n${lines.join("")}`;
}

/** The link is a secret for some minutes: it is for the person at a terminal, and no log. */
function describeConsole(app: App, config: Config): string {
  const site = publicUrlOf(config);
  if (site === null) return "set HOLDPOINT_PUBLIC_URL to the address of browsers, so that people can sign in";
  const link = process.stdout.isTTY ? app.createLink() : null;
  return link === null ? `${site}/` : `${link}  (signs in once, within 10 minutes)`;
}

function describeGit(version: string | null): string {
  if (version === null) return `none found: sources from git need git ${OLDEST_GIT} or newer on PATH`;
  return isNewEnough(version) ? version : `${version} is too old: sources from git need ${OLDEST_GIT} or newer`;
}

/** Gives the text for a person about an error that ended a command. */
export function explain(error: unknown, failed = "Holdpoint could not start"): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.includes(error.name)) return error.message;
  if (error.message.startsWith("HOLDPOINT_")) return error.message;
  if ("code" in error && typeof error.code === "string") return `${failed}: ${error.message || error.code}`;
  return `${failed}: ${error.stack ?? error.message}`;
}
