/** Reading of settings, for the server and for a runner. */
import { isAbsolute, resolve } from "node:path";
import type { SettingName } from "./setting-names.ts";

/** The levels of pino, in its order. */
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Reads a setting from its source; gives `fallback` if it is not set, or if `parse` refuses it. */
export type ReadSetting = <T>(name: SettingName, fallback: T, parse: (text: string) => T) => T;

/** One or more variables are not usable. The message names each of them with the allowed values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["The configuration is not usable:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

/** A value that is refused. The message continues after the name of the variable. */
export class InvalidSetting extends Error {}

export function wholeNumber(text: string, max: number, zero: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max))
    throw new InvalidSetting(`must be a whole number from 0 to ${max} (${zero}), not ${quote(text)}`);
  return value;
}

/** A bare name is looked up on PATH; anything with a slash is a file, relative to where the command was started. */
export function program(text: string, cwd: string): string {
  return text.includes("/") && !isAbsolute(text) ? resolve(cwd, text) : text;
}

export function logLevel(text: string): LogLevel {
  return oneOf(LOG_LEVELS, text);
}

/** Reads one of these names, in capitals or small letters. */
export function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new InvalidSetting(`must be one of ${names.join(", ")}, not ${quote(text)}`);
}

export function yesOrNo(text: string): boolean {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  throw new InvalidSetting(`must be true or false, not ${quote(text)}`);
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

const INHERITED_NAMES: ReadonlySet<string> = new Set([
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
]);

/** Applies an allow-list, because a provisioner may print its environment into a log that others read. */
export function inheritedFrom(env: NodeJS.ProcessEnv): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // The engine's own configuration file would bring credentials and provider overrides of the server's user.
    const isEngines = name.startsWith("TF_") && name !== "TF_CLI_CONFIG_FILE";
    if (value !== undefined && (isEngines || INHERITED_NAMES.has(name))) inherited[name] = value;
  }
  return inherited;
}
