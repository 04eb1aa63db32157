/** The environment variables of a workspace for private repositories, which the engine never sees. */
import { type GitUrl, parseGitUrl } from "../../model/workspace/git-source.ts";
import type { GitLogin } from "../../model/repository/git-host.ts";
import type { WorkspaceSource } from "../../model/workspace/workspace.ts";
import { SourceRefused } from "./source-entry.ts";

export const GIT_USERNAME = "HOLDPOINT_GIT_USERNAME";
export const GIT_PASSWORD = "HOLDPOINT_GIT_PASSWORD";
const GIT_SSH_KEY = "HOLDPOINT_GIT_SSH_KEY";
const GIT_KNOWN_HOSTS = "HOLDPOINT_GIT_KNOWN_HOSTS";
/** Variables whose values no API returns. */
export const GIT_SECRETS: ReadonlySet<string> = new Set([GIT_PASSWORD, GIT_SSH_KEY]);
const NAMES = new Set([GIT_USERNAME, GIT_PASSWORD, GIT_SSH_KEY, GIT_KNOWN_HOSTS]);

/** Hosts that accept tokens ignore the name. */
const DEFAULT_USERNAME = "git";

export type GitCredentials =
  | { type: "none" }
  | { type: "password"; username: string; password: string }
  | { type: "key"; key: string; knownHosts: string | null };

interface NamedValue {
  category: string;
  key: string;
  value: string;
}

/** Whether a variable is used only to fetch the source. */
export function isGitVariable({ category, key }: Pick<NamedValue, "category" | "key">): boolean {
  return category === "ENVIRONMENT" && NAMES.has(key);
}

/** Returns the credentials of a host. One that is for another protocol is not used. */
export function hostCredentials({ protocol }: GitUrl, login: GitLogin): GitCredentials {
  if (login.type === "TOKEN" && protocol === "https") {
    return { type: "password", username: login.username, password: login.token };
  }
  if (login.type === "SSH_KEY" && protocol === "ssh") {
    return { type: "key", key: ended(login.key), knownHosts: ended(login.knownHosts) };
  }
  return { type: "none" };
}

/** Returns the credentials among the variables of a workspace that fit the address. Throws SourceRefused. */
export function gitCredentials({ protocol }: GitUrl, variables: readonly NamedValue[]): GitCredentials {
  const get = (name: string): string | null => {
    const value = variables.find((variable) => isGitVariable(variable) && variable.key === name)?.value ?? "";
    return value === "" ? null : value;
  };
  switch (protocol) {
    case "file":
      return { type: "none" };
    case "https": {
      const password = get(GIT_PASSWORD);
      if (password === null) return { type: "none" };
      return {
        type: "password",
        username: oneLine(GIT_USERNAME, get(GIT_USERNAME) ?? DEFAULT_USERNAME),
        password: oneLine(GIT_PASSWORD, password),
      };
    }
    case "ssh": {
      const key = get(GIT_SSH_KEY);
      if (key === null) {
        throw new SourceRefused(`needs a private key: set the environment variable ${GIT_SSH_KEY} of the workspace.`);
      }
      return { type: "key", key: ended(key), knownHosts: ended(get(GIT_KNOWN_HOSTS)) };
    }
  }
}

/**
 * Whether a change of the source would send the password to another host. A person who may change the source could read
 * it there.
 */
export function redirectsPassword(before: WorkspaceSource, after: WorkspaceSource): boolean {
  const origin = passwordOrigin(after);
  return origin !== null && origin !== passwordOrigin(before);
}

/** Returns the origin that receives the password; `null` if none does. */
function passwordOrigin(source: WorkspaceSource): string | null {
  // The repository of a host is fetched with the credential of the host.
  const url = source.type === "git" && source.repositoryId === undefined ? parseGitUrl(source.url) : null;
  return url?.protocol === "https" ? url.origin.toLowerCase() : null;
}

/** Checks for line breaks, because git reads credentials line by line. */
function oneLine(name: string, value: string): string {
  const text = value.replace(/\r?\n$/, "");
  if (/[\0\r\n]/.test(text)) throw new SourceRefused(`cannot be fetched: ${name} must be one line.`);
  return text;
}

function ended(text: string): string;
function ended(text: string | null): string | null;
/** Ends a key with a line break, without which ssh cannot read it. */
function ended(text: string | null): string | null {
  return text === null ? null : `${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
}

/** The credential texts that messages must not contain. */
export function secretsOf(credentials: GitCredentials): string[] {
  switch (credentials.type) {
    case "none":
      return [];
    case "password": {
      const { username, password } = credentials;
      const basic = Buffer.from(`${username}:${password}`).toString("base64");
      return [password, encodeURIComponent(password), basic];
    }
    case "key":
      return credentials.key.split("\n").filter((line) => line.length > 16 && !line.startsWith("-----"));
  }
}
