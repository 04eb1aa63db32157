/** Addresses of commits on the web pages of their hosts. */
import type { GitHostKind } from "./git-host.ts";

/** The parts of a path, already encoded for an address. */
type Path = readonly string[];

/** The host of a kind that is the same for everyone; its pages are known although git reaches it by ssh. */
const PUBLIC_HOSTS: Partial<Record<GitHostKind, string>> = {
  BITBUCKET_CLOUD: "bitbucket.org",
  FORGEJO: "codeberg.org",
  GITEA: "gitea.com",
  GITHUB: "github.com",
  GITLAB: "gitlab.com",
};

/** The path of the page of a commit, by that of its repository; `null` if there is none. */
const PAGES: Record<GitHostKind, (repository: Path, commit: string) => Path | null> = {
  BITBUCKET_CLOUD: (repository, commit) => [...repository, "commits", commit],
  BITBUCKET_SERVER: bitbucketServerPage,
  FORGEJO: (repository, commit) => [...repository, "commit", commit],
  GIT: () => null,
  GITEA: (repository, commit) => [...repository, "commit", commit],
  GITHUB: (repository, commit) => [...repository, "commit", commit],
  GITLAB: (repository, commit) => [...repository, "-", "commit", commit],
};

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Builds the address of the page of a commit: https or http, without credentials. `url`: the address from which git
 * fetches the repository. `null` if the host has no pages, or their address is not known.
 */
export function commitUrl(kind: GitHostKind, url: string, commit: string): string | null {
  const found = COMMIT.test(commit) ? pagesOf(kind, url) : null;
  const path = found === null ? null : PAGES[kind](found.repository, commit);
  return found === null || path === null ? null : `${found.origin}/${path.join("/")}`;
}

/** The origin of the pages of a repository, and its path there; `null` if they are not known. */
function pagesOf(kind: GitHostKind, url: string): { origin: string; repository: Path } | null {
  const parsed = URL.parse(withScheme(url));
  const origin = parsed === null ? null : originOf(kind, parsed);
  if (parsed === null || origin === null) return null;
  const repository = parsed.pathname
    .slice(1)
    .replace(/\.git$/, "")
    .split("/");
  return repository.every((part) => part !== "") ? { origin, repository } : null;
}

/** Writes the form `git@host:path` as an address. */
function withScheme(url: string): string {
  const short = /^([^/:@]+@[^/:@]+):([^:]+)$/.exec(url);
  return short === null ? url : `ssh://${short[1]}/${short[2]?.replace(/^\//, "")}`;
}

/** Pages of a host of one's own that is reached by ssh may be anywhere. */
function originOf(kind: GitHostKind, { protocol, host, hostname }: URL): string | null {
  if (protocol === "https:" || protocol === "http:") return `${protocol}//${host}`;
  return protocol === "ssh:" && hostname === PUBLIC_HOSTS[kind] ? `https://${hostname}` : null;
}

/** Addresses for git end with `scm/project/name`; `~` begins the name of a person in place of a project. */
function bitbucketServerPage(repository: Path, commit: string): Path | null {
  const [scm, project = "", name = ""] = repository.slice(-3);
  if (scm !== "scm") return null;
  const owner = project.startsWith("~") ? ["users", project.slice(1)] : ["projects", project];
  return [...repository.slice(0, -3), ...owner, "repos", name, "commits", commit];
}
