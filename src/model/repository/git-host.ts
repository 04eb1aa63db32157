/** Hosts of git repositories. */
import { GitSourceRefused, type GitUrl, parseGitUrl } from "../workspace/git-source.ts";

export const GIT_HOST_KINDS = [
  "BITBUCKET_CLOUD",
  "BITBUCKET_SERVER",
  "FORGEJO",
  "GIT",
  "GITEA",
  "GITHUB",
  "GITLAB",
] as const;
/** GIT: any server of git. It sends no hooks, so its repositories are polled. */
export type GitHostKind = (typeof GIT_HOST_KINDS)[number];

export const GIT_HOST_CREDENTIALS = ["NONE", "TOKEN", "SSH_KEY", "APP"] as const;
export type GitHostCredential = (typeof GIT_HOST_CREDENTIALS)[number];

/** A host without its credential and its hook secret. */
export interface GitHost {
  id: string;
  organizationId: string;
  kind: GitHostKind;
  name: string;
  /** The address before the names of repositories, without a slash at its end. */
  url: string;
  credential: GitHostCredential;
  /** The last part of the address to which the host sends hooks: random, so that it cannot be guessed. */
  hookPath: string;
  /** Until when the former hook secret is accepted; `null` if there is none. */
  formerHookSecretUntil: string | null;
  /** When a delivery was last signed with it; `null` if none was. */
  formerHookSecretUsedAt: string | null;
  createdById: string;
  createdAt: string;
}

/** A host with the address to which it sends hooks; `null` if the address of this server is not known. */
export interface ShownGitHost extends GitHost {
  hookUrl: string | null;
}

/** The path of hooks of a host; `null` if it sends none. */
export function hookPathOf({ kind, hookPath }: Pick<GitHost, "kind" | "hookPath">): string | null {
  return sendsHooks(kind) ? `/hooks/${hookPath}` : null;
}

/** Adds the address to which a host sends hooks. */
export function shownHost(host: GitHost, publicUrl: string | null): ShownGitHost {
  const path = hookPathOf(host);
  return { ...host, hookUrl: path === null || publicUrl === null ? null : publicUrl + path };
}

/** How git authenticates to a repository. */
export type GitLogin =
  | { type: "NONE" }
  | { type: "TOKEN"; username: string; token: string }
  | { type: "SSH_KEY"; key: string; knownHosts: string };

/** A GitHub App, which gives tokens for single repositories. */
export interface AppCredential {
  type: "APP";
  appId: string;
  /** A private RSA key, as PEM. */
  privateKey: string;
}

export type HostCredential = GitLogin | AppCredential;

/** Whether a host of this kind sends hooks. */
export function sendsHooks(kind: GitHostKind): boolean {
  return kind !== "GIT";
}

/** The user name for a token, where none is given: hosts that accept tokens require or ignore it. */
const USERNAMES: Record<GitHostKind, string> = {
  BITBUCKET_CLOUD: "x-token-auth",
  BITBUCKET_SERVER: "x-token-auth",
  FORGEJO: "git",
  GIT: "git",
  GITEA: "git",
  GITHUB: "x-access-token",
  GITLAB: "oauth2",
};

export function defaultUsername(kind: GitHostKind): string {
  return USERNAMES[kind];
}

const PART = /^[A-Za-z0-9_~.-]+$/;
const NAME_LENGTH = 255;

/** Whether a text can be the name of a repository: the path at its host, such as `acme/infrastructure`. */
export function isRepositoryName(name: string): boolean {
  const parts = name.split("/");
  const isPart = (part: string): boolean => PART.test(part) && !/^\.{1,2}$/.test(part) && !part.startsWith("-");
  return name.length <= NAME_LENGTH && parts.length <= 20 && parts.every(isPart);
}

/** Returns the address of a repository. Hosts other than plain git redirect addresses without `.git`. */
export function repositoryUrl({ kind, url }: Pick<GitHost, "kind" | "url">, name: string): string {
  const suffix = kind === "GIT" || name.endsWith(".git") ? "" : ".git";
  // `git@host:` takes the path as it is.
  return `${url}${url.endsWith(":") ? "" : "/"}${name}${suffix}`;
}

/** Parses the address of a host. Throws GitSourceRefused. */
export function parseHostUrl(kind: GitHostKind, text: string): GitUrl {
  if (text.endsWith("/")) throw new GitSourceRefused("must not end with a slash.");
  const parsed = parseGitUrl(repositoryUrl({ kind, url: text }, "name"));
  if (parsed.protocol === "file" && kind !== "GIT") {
    throw new GitSourceRefused("must begin with https:// or ssh://; folders are hosts of the kind GIT.");
  }
  return parsed;
}

/** Returns the address of GitHub's API, by that of a repository. */
export function githubApi(repository: string): string {
  const { host, origin } = new URL(repository);
  if (host === "github.com" || host.endsWith(".ghe.com")) return `https://api.${host}`;
  return `${origin}/api/v3`;
}
