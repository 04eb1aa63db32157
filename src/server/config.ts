import { statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve, delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import ipaddr from "ipaddr.js";
import { type AllowedTarget, allowedTargets } from "./allowed-targets.ts";
import { type EngineSettings, readEngineSettings } from "./engine-settings.ts";
import { runnerLabels } from "./runner-labels.ts";
import { runnerName } from "./runner-name.ts";
import {
  ConfigError,
  inheritedFrom,
  type LogLevel,
  logLevel,
  oneOf,
  program,
  quote,
  type ReadSetting,
  InvalidSetting,
  wholeNumber,
} from "./setting.ts";
import { unknownSettings } from "./setting-names.ts";
import { type ProbingConfig, readProbing } from "./probing-settings.ts";
import { readSignInConfig, type SignInConfig } from "./sign-in-settings.ts";
import { type BucketSettings, type NatsSettings, readBucketSettings, readNatsSettings } from "./store-settings.ts";

const MAX_PORT = 65_535;
const MAX_RUNNER_SLOTS = 64;
const MAX_LIMIT = 100_000_000;
const MASTER_KEY_BYTES = 32;
const EXECUTORS = ["compiled", "library"] as const;

/** Settings of the server, parsed once. No other code of a server reads the environment. */
export interface Config {
  /** The port; 0 means any free one. */
  readonly port: number;
  readonly host: string;
  /** An absolute path. */
  readonly dataDir: string;
  /** Undefined: generated once, and kept in the data folder. */
  /** `null`: there is none any more. Undefined: that of the data folder. */
  readonly adminToken: string | null | undefined;
  /** 32 bytes. Undefined: generated once, and kept in the data folder. */
  readonly masterKey: Uint8Array | undefined;
  /** Undefined: the embedded Postgres. */
  readonly databaseUrl: string | undefined;
  /** Absolute folders below which the sources of workspaces may lie. */
  readonly sourceRoots: readonly string[];
  /** Jobs of the embedded runner at a time; 0 means that there is no embedded runner. */
  readonly runnerSlots: number;
  /** The name of the embedded runner. Servers of one database need different ones: equal names mean one runner. */
  readonly runnerName: string;
  /** Labels by which workspaces choose it. */
  readonly runnerLabels: readonly string[];
  /** A program's name or path. Undefined: the first of terraform and tofu that is found. */
  readonly engine: string | undefined;
  /** Isolation and bounds of the embedded runner's engines. */
  readonly engineSettings: EngineSettings;
  /** How the embedded runner samples probes; `null`: it does not. */
  readonly runnerProbing: ProbingConfig | null;
  /** Origins (scheme, host, port) of other sites whose pages may use the API. */
  readonly corsOrigins: readonly string[];
  /** Networks whose proxies are believed about the addresses of clients: address and bits of the prefix. */
  readonly trustedProxies: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
  /** Limits of tokens, sessions and organizations; 0 means no limit. */
  readonly limits: LimitSettings;
  /** Targets of webhooks that are allowed although their address is not public. */
  readonly webhookAllow: readonly AllowedTarget[];
  /** Hosts of repositories that are allowed although their address is not public. */
  readonly gitAllow: readonly AllowedTarget[];
  /** Targets of probes of the server that are allowed although their address is not public. */
  readonly probeAllow: readonly AllowedTarget[];
  /** Issuers of tokens that trust rules may name although their address is not public. */
  readonly issuerAllow: readonly AllowedTarget[];
  /** The bucket of artifacts; undefined: they are put into the database. */
  readonly bucket: BucketSettings | undefined;
  /** Carries hints between servers; undefined: the database does. */
  readonly nats: NatsSettings | undefined;
  /** The executor of GraphQL operations: compiled documents, or graphql-js alone. */
  readonly executor: (typeof EXECUTORS)[number];
  readonly logLevel: LogLevel;
  readonly signIn: SignInConfig;
  /** The part of the environment that child processes may have. No secret of the server is in it. */
  readonly inherited: Readonly<Record<string, string>>;
}

/** Limits of the callers of one server; 0 means no limit. */
export interface LimitSettings {
  /** Points of a token or a session. */
  readonly pointsPerMinute: number;
  /** The most points at once, and in one operation. */
  readonly pointsAtOnce: number;
  /** Points of all tokens whose rights are in one organization alone. */
  readonly organizationPointsPerMinute: number;
  readonly uploadsPerHour: number;
  /** Subscriptions that a token may have open at a time. */
  readonly subscriptions: number;
}

/** The facts that defaults depend on. */
export interface ConfigFacts {
  readonly cwd: string;
  readonly uid: number | undefined;
  readonly packageRoot: string;
  /** The name of this machine. */
  readonly hostname: string;
  readonly isFolder: (path: string) => boolean;
}

/** Reads the configuration of this process. */
export function loadConfig(): Config {
  return parseConfig(process.env, {
    cwd: process.cwd(),
    uid: process.getuid?.(),
    packageRoot: dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
    hostname: hostname(),
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  });
}

/**
 * Turns an environment into a configuration. A variable that is set to nothing counts as not set. Values are never
 * repeated in messages where they may be secret.
 *
 * @throws ConfigError listing every problem, not only the first
 */
export function parseConfig(env: NodeJS.ProcessEnv, facts: ConfigFacts): Config {
  const problems = unknownSettings(env);
  const read: ReadSetting = (name, fallback, parse) => {
    const text = env[name]?.trim();
    if (text === undefined || text === "") return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  };
  const dataDir = facts.uid === 0 ? "/var/lib/holdpoint" : join(facts.cwd, ".holdpoint");
  const config: Config = {
    port: read("HOLDPOINT_PORT", 4000, (text) => wholeNumber(text, MAX_PORT, "0 for any free port")),
    host: read("HOLDPOINT_HOST", "127.0.0.1", host),
    dataDir: read("HOLDPOINT_DATA_DIR", dataDir, (text) => resolve(facts.cwd, text)),
    adminToken: read<string | null | undefined>("HOLDPOINT_ADMIN_TOKEN", undefined, adminToken),
    masterKey: read<Uint8Array | undefined>("HOLDPOINT_MASTER_KEY", undefined, masterKey),
    databaseUrl: read<string | undefined>("DATABASE_URL", undefined, databaseUrl),
    sourceRoots: read("HOLDPOINT_SOURCE_ROOTS", [join(facts.packageRoot, "examples")], (text) => folders(text, facts)),
    runnerName: read("HOLDPOINT_RUNNER_NAME", `embedded@${facts.hostname}`, runnerName),
    runnerLabels: read<readonly string[]>("HOLDPOINT_RUNNER_LABELS", [], runnerLabels),
    runnerSlots: read("HOLDPOINT_RUNNER_SLOTS", 2, (text) =>
      wholeNumber(text, MAX_RUNNER_SLOTS, "0 for no embedded runner"),
    ),
    engine: read<string | undefined>("HOLDPOINT_ENGINE", undefined, (text) => program(text, facts.cwd)),
    engineSettings: readEngineSettings(read),
    runnerProbing: readProbing(read),
    corsOrigins: read<readonly string[]>("HOLDPOINT_CORS_ORIGINS", [], origins),
    trustedProxies: read<Config["trustedProxies"]>("HOLDPOINT_TRUSTED_PROXIES", [], networks),
    limits: Object.freeze({
      pointsPerMinute: read("HOLDPOINT_LIMIT_POINTS_PER_MINUTE", 5000, limit),
      pointsAtOnce: read("HOLDPOINT_LIMIT_POINTS_AT_ONCE", 2000, positiveLimit),
      organizationPointsPerMinute: read("HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE", 20_000, limit),
      uploadsPerHour: read("HOLDPOINT_LIMIT_UPLOADS_PER_HOUR", 120, limit),
      subscriptions: read("HOLDPOINT_LIMIT_SUBSCRIPTIONS", 1000, limit),
    }),
    webhookAllow: read<readonly AllowedTarget[]>("HOLDPOINT_WEBHOOK_ALLOW", [], allowedTargets),
    gitAllow: read<readonly AllowedTarget[]>("HOLDPOINT_GIT_ALLOW", [], allowedTargets),
    probeAllow: read<readonly AllowedTarget[]>("HOLDPOINT_PROBE_ALLOW", [], allowedTargets),
    issuerAllow: read<readonly AllowedTarget[]>("HOLDPOINT_ISSUER_ALLOW", [], allowedTargets),
    bucket: readBucketSettings(read),
    nats: readNatsSettings(read, facts.cwd),
    executor: read<Config["executor"]>("HOLDPOINT_EXECUTOR", "compiled", (text) => oneOf(EXECUTORS, text)),
    logLevel: read<LogLevel>("HOLDPOINT_LOG_LEVEL", "info", logLevel),
    signIn: readSignInConfig(read, facts.cwd, problems),
    inherited: Object.freeze(inheritedFrom(env)),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  Object.freeze(config.sourceRoots);
  Object.freeze(config.corsOrigins);
  Object.freeze(config.webhookAllow);
  Object.freeze(config.gitAllow);
  Object.freeze(config.probeAllow);
  Object.freeze(config.issuerAllow);
  return Object.freeze(config);
}

function limit(text: string): number {
  return wholeNumber(text, MAX_LIMIT, "0 for no limit");
}

function positiveLimit(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= MAX_LIMIT) return value;
  throw new InvalidSetting(`must be a whole number from 1 to ${MAX_LIMIT}, not ${quote(text)}`);
}

function host(text: string): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw new InvalidSetting(
    `must be a host name or an address such as 127.0.0.1, 0.0.0.0 or ::1, without a port, not ${quote(text)}`,
  );
}

function adminToken(text: string): string | null {
  if (text === "off") return null;
  if (/^[\x21-\x7e]{24,}$/.test(text)) return text;
  throw new InvalidSetting(
    "must have at least 24 characters, all of them letters, digits or ASCII signs, and no blanks; or be off",
  );
}

function masterKey(text: string): Uint8Array {
  const isHex = /^[0-9a-f]+$/i.test(text) && text.length === MASTER_KEY_BYTES * 2;
  const isBase64 = /^[\w+/-]{43}=?$/.test(text);
  const key = Buffer.from(text, isHex ? "hex" : "base64");
  if ((isHex || isBase64) && key.length === MASTER_KEY_BYTES) return new Uint8Array(key);
  throw new InvalidSetting(
    "must be 32 bytes as 64 hexadecimal digits or as base64, for example from: openssl rand -hex 32",
  );
}

/** A host may be empty behind a user where `?host=` names a socket; a URL does not allow that, the driver and libpq do. */
function databaseUrl(text: string): string {
  const filled = text.replace(/^([a-z]+:\/\/[^/?#]*@)(?=\/)/, "$1socket");
  const protocol = URL.canParse(filled) ? new URL(filled).protocol : "";
  if (protocol === "postgres:" || protocol === "postgresql:") return text;
  throw new InvalidSetting(
    "must be the address of a Postgres, such as postgres://user:password@host:5432/database, or, for a Unix socket, " +
      "postgres://user:password@/database?host=/var/run/postgresql&port=5432",
  );
}

function folders(text: string, { cwd, isFolder }: ConfigFacts): string[] {
  const parts = text.split(delimiter).filter((part) => part.trim() !== "");
  if (parts.length === 0)
    throw new InvalidSetting(`must name at least one folder; several are separated by "${delimiter}"`);
  const found = parts.map((part) => resolve(cwd, part.trim()));
  const missing = found.filter((path) => !isFolder(path));
  if (missing.length === 0) return found;
  throw new InvalidSetting(`must name folders that exist, and ${missing.map(quote).join(", ")} does not`);
}

function origins(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map(origin);
}

function networks(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map(network);
}

function network(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return [ipaddr.IPv4.parse(text), 32];
  if (ipaddr.IPv6.isValid(text)) return [ipaddr.IPv6.parse(text), 128];
  throw new InvalidSetting(
    `must be a comma-separated list of addresses and networks such as 10.0.0.0/8 or fd00::/8, but has ${quote(text)}`,
  );
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url !== undefined && isWeb && (text === url.origin || text === `${url.origin}/`)) return url.origin;
  throw new InvalidSetting(
    `must be a comma-separated list of origins such as https://console.example.com:8443 (scheme, host and port, ` +
      `no path, no *), but has ${quote(text)}`,
  );
}
