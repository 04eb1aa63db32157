import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidSetting, quote, type ReadSetting, wholeNumber } from "./setting.ts";

/** An identity provider that speaks OpenID Connect. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string;
  /** The group whose people administer the installation; `null`: no group does. */
  readonly adminGroup: string | null;
  /** Domains of e-mail addresses that may sign in; empty: all. */
  readonly domains: readonly string[];
}

export interface SignInConfig {
  /** The origin by which browsers reach the server. Undefined: that of a loopback address, or the server has no sign-in. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcSettings | undefined;
  /** For how many hours a person who was invited counts as the one that invited it. */
  readonly invitedHours: number;
}

/** A year: longer is a mistake. */
const MAX_INVITED_HOURS = 8760;

/** Reads how people sign in. Adds a problem for what belongs together and is not complete. */
export function readSignInConfig(read: ReadSetting, cwd: string, problems: string[]): SignInConfig {
  const text = (value: string): string => value;
  const publicUrl = read<string | undefined>("HOLDPOINT_PUBLIC_URL", undefined, publicOrigin);
  const invitedHours = read("HOLDPOINT_INVITED_HOURS", 72, (value) =>
    wholeNumber(value, MAX_INVITED_HOURS, "0 for none"),
  );
  const issuer = read<string | undefined>("HOLDPOINT_OIDC_ISSUER", undefined, issuerUrl);
  const clientId = read<string | undefined>("HOLDPOINT_OIDC_CLIENT_ID", undefined, text);
  const given = read<string | undefined>("HOLDPOINT_OIDC_CLIENT_SECRET", undefined, text);
  const secret =
    given ??
    read<string | undefined>("HOLDPOINT_OIDC_CLIENT_SECRET_FILE", undefined, (path) => secretIn(resolve(cwd, path)));
  const rest = {
    scopes: read("HOLDPOINT_OIDC_SCOPES", "openid profile email", scopes),
    groupsClaim: read("HOLDPOINT_OIDC_GROUPS_CLAIM", "groups", text),
    adminGroup: read<string | null>("HOLDPOINT_OIDC_ADMIN_GROUP", null, text),
    domains: read<readonly string[]>("HOLDPOINT_OIDC_DOMAINS", [], domains),
  };
  const isAsked = issuer !== undefined || clientId !== undefined || secret !== undefined;
  if (!isAsked) return { publicUrl, invitedHours, oidc: undefined };
  // A value that was refused has its own problem already.
  if (problems.length > 0) return { publicUrl, invitedHours, oidc: undefined };
  const wanted = { HOLDPOINT_OIDC_ISSUER: issuer, HOLDPOINT_OIDC_CLIENT_ID: clientId, HOLDPOINT_PUBLIC_URL: publicUrl };
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) problems.push(`${name} must be set where an identity provider is`);
  }
  if (secret === undefined) {
    problems.push(
      "HOLDPOINT_OIDC_CLIENT_SECRET_FILE or HOLDPOINT_OIDC_CLIENT_SECRET must be set where an identity provider is",
    );
  }
  if (issuer === undefined || clientId === undefined || secret === undefined)
    return { publicUrl, invitedHours, oidc: undefined };
  return { publicUrl, invitedHours, oidc: Object.freeze({ issuer, clientId, clientSecret: secret, ...rest }) };
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Plain HTTP is for this machine alone: a host on the way could take a session. */
function isSafe(url: URL | null): url is URL {
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname)));
}

function publicOrigin(text: string): string {
  const url = URL.parse(text);
  if (isSafe(url) && (text === url.origin || text === `${url.origin}/`)) return url.origin;
  throw new InvalidSetting(
    `must be the address by which browsers reach this server, such as https://holdpoint.example.com (https, or http for ` +
      `localhost; no path), not ${quote(text)}`,
  );
}

function issuerUrl(text: string): string {
  const url = URL.parse(text);
  if (isSafe(url) && url.search === "" && url.hash === "" && url.username === "") return text;
  throw new InvalidSetting(
    `must be the address of an identity provider, such as https://login.example.com/realms/acme (https, or http for ` +
      `localhost), not ${quote(text)}`,
  );
}

function scopes(text: string): string {
  const names = text.split(/[\s,]+/);
  if (names.includes("openid")) return names.join(" ");
  throw new InvalidSetting(
    `must have openid among its names, such as "openid profile email groups", not ${quote(text)}`,
  );
}

function domains(text: string): string[] {
  const names = text.split(",").map((part) => part.trim().toLowerCase());
  if (names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))) return names;
  throw new InvalidSetting(`must be a comma-separated list of domains such as example.com, not ${quote(text)}`);
}

/** Reads a secret from a file. The message never repeats what is in it. */
function secretIn(path: string): string {
  const secret = readText(path);
  if (secret !== null && secret !== "" && !/\s/.test(secret)) return secret;
  throw new InvalidSetting(
    `must name a file that holds the secret alone: ${quote(path)} cannot be read, is empty or has blanks`,
  );
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
