/** Builds the environment, the options and the configuration of git. Git reads no other configuration. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitUrl } from "../../model/workspace/git-source.ts";
import type { WantedRefs } from "../kit/ref-reader.ts";
import { addressFor, pinOptions, pinSettings, type PinnedTarget } from "./git-address.ts";
import { GIT_PASSWORD, GIT_USERNAME, type GitCredentials } from "./git-credentials.ts";

/** The files of one fetch, in a folder that only this process can enter. */
export function gitFiles(folder: string) {
  return {
    home: join(folder, "home"),
    config: join(folder, "config"),
    key: join(folder, "key"),
    knownHosts: join(folder, "known-hosts"),
  } as const;
}

/** Variables of the server's environment that git may see, with their names for git. */
const INHERITED: Record<string, string> = {
  PATH: "PATH",
  HTTPS_PROXY: "HTTPS_PROXY",
  NO_PROXY: "NO_PROXY",
  https_proxy: "https_proxy",
  no_proxy: "no_proxy",
  SSL_CERT_FILE: "GIT_SSL_CAINFO",
  SSL_CERT_DIR: "GIT_SSL_CAPATH",
};

/** Returns the whole environment of git, without credentials. `protocol`: `null` if no network is needed. */
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
    // Empty, so that git prompts for no password.
    GIT_ASKPASS: "",
    GIT_ALLOW_PROTOCOL: protocol ?? "none",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

/** Returns the credentials for the one process that contacts the repository. They are never arguments of a process. */
export function credentialEnvironment(
  credentials: GitCredentials,
  folder: string,
  target: PinnedTarget | null,
): Record<string, string> {
  switch (credentials.type) {
    case "none":
      return {};
    case "password":
      return { [GIT_USERNAME]: credentials.username, [GIT_PASSWORD]: credentials.password };
    case "key":
      return { GIT_SSH_VARIANT: "ssh", GIT_SSH_COMMAND: sshCommand(credentials.knownHosts !== null, folder, target) };
  }
}

/** Builds the ssh command, with quoted paths because git runs it by a shell. Unknown hosts are not trusted. */
function sshCommand(hasKnownHosts: boolean, folder: string, target: PinnedTarget | null): string {
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
    ...pinOptions(target),
  ];
  return ["ssh", "-F", "/dev/null", "-i", quoted(files.key), ...options.flatMap((o) => ["-o", quoted(o)])].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Reads the credentials from the environment of the helper, which git starts for this host only. */
const HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${GIT_USERNAME}" "$${GIT_PASSWORD}"; }; f`;

/** Returns the options that precede git's command. */
export function gitOptions(url: GitUrl, credentials: GitCredentials, target: PinnedTarget | null): string[] {
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
    // Ends a connection to a server that sends nothing, even if this process is gone.
    "http.lowSpeedLimit=100",
    "http.lowSpeedTime=60",
    // Another address was not checked, and would get the password.
    "http.followRedirects=false",
    ...pinSettings(target),
    ...(credentials.type === "password" ? [`credential.${url.origin}.helper=${HELPER}`] : []),
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

/** Writes the files of one process of git: its configuration and the key of ssh. */
export async function writeGitFiles(folder: string, credentials: GitCredentials, config: string): Promise<void> {
  const files = gitFiles(folder);
  await mkdir(files.home, { mode: 0o700 });
  await writeFile(files.config, config, { mode: 0o600 });
  if (credentials.type !== "key") return;
  await writeFile(files.key, credentials.key, { mode: 0o600 });
  if (credentials.knownHosts !== null) await writeFile(files.knownHosts, credentials.knownHosts, { mode: 0o600 });
}

/** Returns the arguments to list the refs of a repository; without tags those of branches alone. */
export function listArguments(
  url: GitUrl,
  { branches, tags }: WantedRefs,
  credentials: GitCredentials,
  target: PinnedTarget | null,
): string[] {
  const patterns = [...branches.map((name) => `refs/heads/${name}`), ...(tags ? ["refs/tags/*"] : [])];
  const options = gitOptions(url, credentials, target);
  // Without these a host lists all its refs, such as those of pull requests.
  const kinds = ["--heads", ...(tags ? ["--tags"] : [])];
  return [...options, "ls-remote", "--quiet", ...kinds, "--", addressFor(url), ...patterns];
}

/** Returns git's configuration for one fetch. A local repository may belong to another user if it lies below a root. */
export function gitConfig(repository: string | null): string {
  if (repository === null) return "";
  const folders = [repository, `${repository}/.git`].map((folder) => folder.replace(/["\\]/g, "\\$&"));
  return `[safe]\n${folders.map((folder) => `\tdirectory = "${folder}"\n`).join("")}`;
}
