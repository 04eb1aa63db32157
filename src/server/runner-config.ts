import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { type AllowedTarget, allowedTargets } from "./allowed-targets.ts";
import { type EngineSettings, readEngineSettings } from "./engine-settings.ts";
import { type ProbingConfig, readProbing } from "./probing-settings.ts";
import { runnerLabels } from "./runner-labels.ts";
import { MAX_RUNNER_NAME, runnerName } from "./runner-name.ts";
import {
  ConfigError,
  inheritedFrom,
  type LogLevel,
  logLevel,
  program,
  type ReadSetting,
  InvalidSetting,
  wholeNumber,
  yesOrNo,
} from "./setting.ts";
import { type SettingName, unknownSettings } from "./setting-names.ts";

/** Settings of a runner in a process of its own. */
export interface RunnerConfig {
  /** Includes a path if the server is below one. */
  readonly serverUrl: string;
  readonly token: string;
  /** `name` or `organization/name`. */
  readonly pool: string;
  readonly name: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** An absolute path. */
  readonly workDir: string;
  /** A program's name or path. Undefined: the first of terraform and tofu that is found. */
  readonly engine: string | undefined;
  readonly engineSettings: EngineSettings;
  /** Whether it sends requests of external checks for its pool. */
  readonly sendsChecks: boolean;
  /** Targets that requests for the server may reach beside public addresses and private networks. */
  readonly networkAllow: readonly AllowedTarget[];
  /** How it samples probes; `null`: it does not. */
  readonly probing: ProbingConfig | null;
  readonly logLevel: LogLevel;
  readonly inherited: Readonly<Record<string, string>>;
}

/** The flags, each with its variable. A flag wins over a variable. */
const FLAGS = {
  server: "HOLDPOINT_SERVER",
  token: "HOLDPOINT_RUNNER_TOKEN",
  "token-file": "HOLDPOINT_RUNNER_TOKEN_FILE",
  pool: "HOLDPOINT_RUNNER_POOL",
  name: "HOLDPOINT_RUNNER_NAME",
  slots: "HOLDPOINT_RUNNER_SLOTS",
  labels: "HOLDPOINT_RUNNER_LABELS",
  "work-dir": "HOLDPOINT_RUNNER_WORK_DIR",
  engine: "HOLDPOINT_ENGINE",
  "engine-prefix": "HOLDPOINT_ENGINE_PREFIX",
  "engine-uid": "HOLDPOINT_ENGINE_UID",
  "max-processes": "HOLDPOINT_ENGINE_MAX_PROCESSES",
  "max-memory": "HOLDPOINT_ENGINE_MAX_MEMORY",
  "max-file-size": "HOLDPOINT_ENGINE_MAX_FILE_SIZE",
  checks: "HOLDPOINT_RUNNER_CHECKS",
  "network-allow": "HOLDPOINT_RUNNER_NETWORK_ALLOW",
  probes: "HOLDPOINT_RUNNER_PROBES",
  "probe-allow": "HOLDPOINT_RUNNER_PROBE_ALLOW",
  "log-level": "HOLDPOINT_LOG_LEVEL",
} as const satisfies Record<string, SettingName>;

export const RUNNER_HELP = `Usage: npm run runner -- --server URL --pool POOL --token-file FILE [options]

  --server URL           the address of the server, for example https://holdpoint.example.com (a path is allowed)
  --pool POOL            the pool that the token belongs to: its name, or organization/name
  --token-file FILE      a file with the runner's token, readable by this user alone
  --token TOKEN          the token itself. Every user of this machine can see it in the list of processes:
                         better use the file, or HOLDPOINT_RUNNER_TOKEN
  --name NAME            the runner's name, unique in the pool (default: the name of the machine)
  --slots N              jobs at the same time (default 1)
  --labels A,B           labels by which workspaces choose the runner
  --work-dir FOLDER      where jobs have their folders (default .holdpoint-runner, as root /var/lib/holdpoint-runner)
  --engine PROGRAM       terraform or tofu, by name or path (default: the first of them on PATH)
  --engine-prefix WORDS  a command before the engine's, for example of a container; see docs/runners.md
  --engine-uid N         as root: the user id of the first slot's engines, the other slots have the next ones
  --max-processes N      of an engine, with its threads
  --max-memory SIZE      address space of each process, for example 8G
  --max-file-size SIZE   of each file that an engine writes, for example 2G; more than your largest state
  --checks true|false    send requests of external checks to services in this network (default false)
  --network-allow LIST   targets on this machine that requests for the server may reach, for example 127.0.0.1:8080
  --probes N             send probes of workspaces in this network: at most N in a second (default 0: none)
  --probe-allow LIST     the only targets that probes may reach, for example 10.20.0.0/16,db.internal:5432
  --log-level LEVEL      fatal, error, warn, info (default), debug or trace

Each can be given in the environment as well: ${Object.values(FLAGS).join(", ")}.
SIGTERM drains: plans are handed back, applies are waited for. Another SIGTERM, 3 s later or more, interrupts them.
Exit codes: 0 drained or cycled, 1 could not start, 2 wrong configuration or pool, 3 the token is refused.
`;

const MAX_SLOTS = 64;
const OTHERS_MAY_READ = 0o004;

export interface RunnerConfigFacts {
  readonly cwd: string;
  readonly uid: number | undefined;
  readonly hostname: string;
}

/** Reads the configuration of this process. Throws ConfigError. */
export function loadRunnerConfig(argv: string[]): RunnerConfig {
  return parseRunnerConfig(argv, process.env, { cwd: process.cwd(), uid: process.getuid?.(), hostname: hostname() });
}

/** Parses flags and variables. Messages never repeat the token. Throws ConfigError, which lists every problem. */
export function parseRunnerConfig(
  argv: string[],
  env: NodeJS.ProcessEnv,
  { cwd, uid, hostname: machine }: RunnerConfigFacts,
): RunnerConfig {
  const flags = parseFlags(argv);
  const problems = unknownSettings(env);
  const read = reader(flags, env, problems);
  const workDir = uid === 0 ? "/var/lib/holdpoint-runner" : join(cwd, ".holdpoint-runner");
  const given = read<string | null>("HOLDPOINT_RUNNER_TOKEN", null, token);
  const config: RunnerConfig = {
    serverUrl: read("HOLDPOINT_SERVER", "", serverUrl),
    token: given ?? read("HOLDPOINT_RUNNER_TOKEN_FILE", "", (path) => tokenFile(resolve(cwd, path))),
    pool: read("HOLDPOINT_RUNNER_POOL", "", (text) => text),
    name: read("HOLDPOINT_RUNNER_NAME", machine.slice(0, MAX_RUNNER_NAME), runnerName),
    slots: read("HOLDPOINT_RUNNER_SLOTS", 1, slots),
    labels: read<string[]>("HOLDPOINT_RUNNER_LABELS", [], runnerLabels),
    workDir: read("HOLDPOINT_RUNNER_WORK_DIR", workDir, (text) => resolve(cwd, text)),
    engine: read<string | undefined>("HOLDPOINT_ENGINE", undefined, (text) => program(text, cwd)),
    engineSettings: readEngineSettings(read),
    sendsChecks: read("HOLDPOINT_RUNNER_CHECKS", false, yesOrNo),
    networkAllow: read<readonly AllowedTarget[]>("HOLDPOINT_RUNNER_NETWORK_ALLOW", [], allowedTargets),
    probing: readProbing(read),
    logLevel: read<LogLevel>("HOLDPOINT_LOG_LEVEL", "info", logLevel),
    inherited: Object.freeze(inheritedFrom(env)),
  };
  problems.push(...missing(config, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Lists missing settings without a default. A setting that is set and wrong is in `problems` already. */
function missing({ serverUrl: server, token: secret, pool }: RunnerConfig, problems: readonly string[]): string[] {
  const lacks = (value: string, ...names: string[]): boolean =>
    value === "" && !problems.some((problem) => names.some((one) => problem.includes(`${one})`)));
  return [
    ...(lacks(server, "HOLDPOINT_SERVER")
      ? ["--server (HOLDPOINT_SERVER) is missing: set the address of the server"]
      : []),
    ...(lacks(secret, "HOLDPOINT_RUNNER_TOKEN", "HOLDPOINT_RUNNER_TOKEN_FILE")
      ? ["--token-file (HOLDPOINT_RUNNER_TOKEN_FILE) or HOLDPOINT_RUNNER_TOKEN is missing: set a token of the pool"]
      : []),
    ...(lacks(pool, "HOLDPOINT_RUNNER_POOL")
      ? ["--pool (HOLDPOINT_RUNNER_POOL) is missing: set the pool that the token belongs to"]
      : []),
  ];
}

/** Gives the values of the flags by the names of their variables. */
function parseFlags(argv: string[]): Map<string, string> {
  const text = { type: "string" } as const;
  const options: ParseArgsOptionsConfig = {};
  for (const flag of Object.keys(FLAGS)) options[flag] = text;
  try {
    const { values } = parseArgs({ args: argv, options });
    const entries = Object.entries(FLAGS).flatMap(([flag, variable]) => {
      const value = values[flag];
      return typeof value === "string" ? [[variable, value] as const] : [];
    });
    return new Map(entries);
  } catch (error) {
    // Node's message has the flag. It has no argument that could be a token.
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
      throw new ConfigError(["There is an argument without a flag before it. --help lists the flags"]);
    const message = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    throw new ConfigError([`${message}. --help lists the flags`]);
  }
}

function reader(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv, problems: string[]): ReadSetting {
  return (variable, fallback, parse) => {
    const text = (flags.get(variable) ?? env[variable])?.trim();
    if (text === undefined || text === "") return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      const flag = Object.entries(FLAGS).find(([, name]) => name === variable)?.[0] ?? "";
      problems.push(`--${flag} (${variable}) ${error.message}`);
      return fallback;
    }
  };
}

function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url !== undefined && isWeb && isPlain) return url.href.replace(/\/+$/, "");
  throw new InvalidSetting(
    "must be an address such as https://holdpoint.example.com, without a user, a query or a fragment",
  );
}

function token(text: string): string {
  if (/^[\x21-\x7e]{16,500}$/.test(text)) return text;
  throw new InvalidSetting("is no token: it must have 16 to 500 letters, digits and signs, and no blanks");
}

function tokenFile(path: string): string {
  let text: string;
  try {
    if ((statSync(path).mode & OTHERS_MAY_READ) !== 0) {
      throw new InvalidSetting(`names a file that every user can read: chmod 600 ${path}`);
    }
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof InvalidSetting) throw error;
    throw new InvalidSetting(
      `names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return token(text);
}

function slots(text: string): number {
  const count = wholeNumber(text, MAX_SLOTS, "0 is refused: a runner needs a slot");
  if (count > 0) return count;
  throw new InvalidSetting(`must be a whole number from 1 to ${MAX_SLOTS}, not 0`);
}
