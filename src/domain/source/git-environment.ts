/** How git is called: what it may do, and what it knows. It reads no configuration but what stands here. */
import { join } from "node:path";
import type { GitUrl } from "../../model/workspace/git-source.ts";
import { GIT_PASSWORD, GIT_USERNAME, type GitCredentials } from "./git-credentials.ts";

/** Files of one fetch, in a folder that nobody else can enter. */
export function gitFiles(folder: string) {
  return {
    home: join(folder, "home"),
    config: join(folder, "config"),
    repository: join(folder, "repository.git"),
    key: join(folder, "key"),
    knownHosts: join(folder, "known-hosts"),
  } as const;
}

/** Names of the server's environment that git may see, and what git calls them. */
const INHERITED: Record<string, string> = {
  PATH: "PATH",
  HTTPS_PROXY: "HTTPS_PROXY",
  NO_PROXY: "NO_PROXY",
  https_proxy: "https_proxy",
  no_proxy: "no_proxy",
  SSL_CERT_FILE: "GIT_SSL_CAINFO",
  SSL_CERT_DIR: "GIT_SSL_CAPATH",
};

/** The whole environment of git, without credentials. `protocol` null: the network is not needed. */
export function gitEnvironment(
  inherited: Readonly<Record<string, string>>,
  folder: string,
  protocol: GitUrl["protocol"] | null,
): Record<string, string> {
  const files = gitFiles(folder);
  const environment: Record<string, string> = {};
  for (const [name, own] of Object.entries(INHERITED)) {
    const value = inherited[name];
    if (value !== undefined) environment[own] = value;
  }
  return {
    ...environment,
    HOME: files.home,
    TMPDIR: folder,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: files.config,
    GIT_TERMINAL_PROMPT: "0",
    // Empty: nobody is asked for a password, with or without a screen.
    GIT_ASKPASS: "",
    GIT_ALLOW_PROTOCOL: protocol ?? "none",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

/** What the one process that talks to the repository knows besides; nothing of it is an argument of anything. */
export function credentialEnvironment(credentials: GitCredentials, folder: string): Record<string, string> {
  switch (credentials.type) {
    case "none":
      return {};
    case "password":
      return { [GIT_USERNAME]: credentials.username, [GIT_PASSWORD]: credentials.password };
    case "key":
      return { GIT_SSH_VARIANT: "ssh", GIT_SSH_COMMAND: sshCommand(credentials.knownHosts !== null, folder) };
  }
}

/** Git gives this to a shell, so paths are quoted. Hosts that nobody named are not trusted. */
function sshCommand(hasKnownHosts: boolean, folder: string): string {
  const files = gitFiles(folder);
  const options = [
    "IdentitiesOnly=yes",
    "IdentityAgent=none",
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    `UserKnownHostsFile=${hasKnownHosts ? files.knownHosts : "/dev/null"}`,
    "ForwardAgent=no",
    "ClearAllForwardings=yes",
    "PermitLocalCommand=no",
    "ProxyCommand=none",
    "ConnectTimeout=30",
    "ServerAliveInterval=15",
    "ServerAliveCountMax=3",
  ];
  return ["ssh", "-F", "/dev/null", "-i", quoted(files.key), ...options.flatMap((o) => ["-o", quoted(o)])].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The credentials come out of the environment of the helper, which git starts; only this host is told. */
const HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${GIT_USERNAME}" "$${GIT_PASSWORD}"; }; f`;

/** Options that stand before git's command. */
function gitOptions(url: GitUrl, credentials: GitCredentials): string[] {
  const settings = [
    "protocol.allow=never",
    "protocol.ext.allow=never",
    `protocol.${url.protocol}.allow=always`,
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "credential.helper=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "fetch.unpackLimit=1",
    "gc.auto=0",
    "maintenance.auto=false",
    // A server that says nothing is left even where nobody is there to end git.
    "http.lowSpeedLimit=100",
    "http.lowSpeedTime=60",
    ...(credentials.type === "password" ? [`credential.${url.origin}.helper=${HELPER}`] : []),
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

/** The arguments that fetch one commit of one branch; `--` ends the options, so that no address can be one. */
export function fetchArguments(url: GitUrl, branch: string, credentials: GitCredentials): string[] {
  const quiet = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
  const refs = `+refs/heads/${branch}:refs/heads/fetched`;
  return [...gitOptions(url, credentials), "fetch", ...quiet, "--", url.url, refs];
}

/** Git's configuration file of one fetch: a repository of another user is read where a root has it. */
export function gitConfig(repository: string | null): string {
  if (repository === null) return "";
  const folders = [repository, `${repository}/.git`].map((folder) => folder.replace(/["\\]/g, "\\$&"));
  return `[safe]\n${folders.map((folder) => `\tdirectory = "${folder}"\n`).join("")}`;
}
