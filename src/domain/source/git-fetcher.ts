/** Packs one commit of a git repository, and leaves nothing on the disk. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { type GitUrl, parseGitUrl } from "../../model/workspace/git-source.ts";
import type { GitSource, Variable } from "../../model/workspace/workspace.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Resolve } from "../network/guarded-lookup.ts";
import type { FetchedSource, FetchOptions, GitFetcher } from "../kit/git-fetcher.ts";
import { readPackedInputs } from "../inputs/read-inputs.ts";
import { outgrows } from "./folder-size.ts";
import { type GitCredentials, gitCredentials, secretsOf } from "./git-credentials.ts";
import { credentialEnvironment, fetchArguments, gitConfig, gitEnvironment, gitFiles } from "./git-environment.ts";
import { pinTarget } from "./git-address.ts";
import { toUserError } from "./git-error.ts";
import { resolveRepository } from "./git-folder.ts";
import { readGit } from "./git-process.ts";
import { GitObjects, type InRepository, readCommit } from "./git-objects.ts";
import { findGitVersion, isNewEnough, OLDEST_GIT } from "./git-version.ts";
import { packCollected } from "./pack-inputs.ts";
import { SourceRefused } from "./source-entry.ts";

export interface GitFetcherOptions {
  /** A folder for temporary files; emptied at the start. */
  folder: string;
  sourceRoots: readonly string[];
  /** The part of the server's environment that git may see. */
  inherited: Readonly<Record<string, string>>;
  limits: { gitMs: number; gitBytes: number; gitAtOnce: number };
  /** Hosts of repositories that are allowed although their addresses are not public. */
  allowed: readonly AllowedTarget[];
  resolve?: Resolve;
}

const FETCHED = "refs/heads/fetched";
const OUTPUT_BYTES = 64 * 1024;

/** Creates the fetcher. Disposing it ends running fetches. */
export async function createGitFetcher(options: GitFetcherOptions): Promise<GitFetcher> {
  await rm(options.folder, { recursive: true, force: true });
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const limit = pLimit(options.limits.gitAtOnce);
  const closing = new AbortController();
  const version = findGitVersion(options.inherited["PATH"] ?? "", closing.signal);
  version.catch(() => undefined);
  const underWay = new Set<Promise<unknown>>();
  return {
    async fetch(source, variables, reading) {
      const work = limit(async () => {
        requireNewEnough(await version);
        return fetchOnce(options, { source, variables, reading }, closing.signal);
      });
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error("The server is shutting down."));
      await Promise.allSettled(underWay);
      await rm(options.folder, { recursive: true, force: true });
    },
  };
}

/** Throws INVALID_INPUT if git is too old to be kept to the addresses that were checked. */
function requireNewEnough(version: string | null): void {
  if (version === null || isNewEnough(version)) return;
  throw invalidField(
    "source.git",
    `cannot be fetched: this server has git ${version}, and needs ${OLDEST_GIT} or newer.`,
  );
}

async function fetchOnce(
  options: GitFetcherOptions,
  { source, variables, reading }: { source: GitSource; variables: readonly Variable[]; reading: FetchOptions },
  closing: AbortSignal,
): Promise<FetchedSource> {
  const url = parseGitUrl(source.url);
  const credentials = credentialsFor(url, variables);
  const repository = url.protocol === "file" ? await resolveRepository(url.folder, options.sourceRoots) : null;
  const folder = await mkdtemp(join(options.folder, "fetch-"));
  // The real path: a link changed meanwhile must not lead git elsewhere.
  const address = repository === null ? url : { ...url, url: `file://${encodeURI(repository)}` };
  const time = AbortSignal.timeout(options.limits.gitMs);
  const size = new AbortController();
  const done = new AbortController();
  const watching = outgrows(folder, options.limits.gitBytes, done.signal).then((tooLarge) => {
    if (tooLarge) size.abort();
  });
  const signal = AbortSignal.any([closing, time, size.signal]);
  try {
    await writeFiles(folder, credentials, repository);
    const packed = await readRemote({ ...options, folder, url: address, credentials, source, reading, signal });
    done.abort();
    await watching;
    size.signal.throwIfAborted();
    return packed;
  } catch (error) {
    closing.throwIfAborted();
    const hidden = { secrets: secretsOf(credentials), folder };
    throw toUserError(error, {
      source,
      hidden,
      limits: options.limits,
      timedOut: time.aborted,
      tooLarge: size.signal.aborted,
    });
  } finally {
    done.abort();
    await watching;
    await rm(folder, { recursive: true, force: true });
  }
}

function credentialsFor(url: GitUrl, variables: readonly Variable[]): GitCredentials {
  try {
    return gitCredentials(url, variables);
  } catch (error) {
    if (!(error instanceof SourceRefused)) throw error;
    throw invalidField("source.git.url", error.message);
  }
}

async function writeFiles(folder: string, credentials: GitCredentials, repository: string | null): Promise<void> {
  const files = gitFiles(folder);
  await mkdir(files.home, { mode: 0o700 });
  await writeFile(files.config, gitConfig(repository), { mode: 0o600 });
  if (credentials.type !== "key") return;
  await writeFile(files.key, credentials.key, { mode: 0o600 });
  if (credentials.knownHosts !== null) await writeFile(files.knownHosts, credentials.knownHosts, { mode: 0o600 });
}

interface Remote extends Pick<GitFetcherOptions, "inherited" | "allowed" | "resolve"> {
  folder: string;
  url: GitUrl;
  credentials: GitCredentials;
  source: GitSource;
  reading: FetchOptions;
  signal: AbortSignal;
}

async function readRemote(remote: Remote): Promise<FetchedSource> {
  const { folder, url, credentials, source, reading, signal, inherited, allowed, resolve } = remote;
  const behindProxy = [inherited["https_proxy"], inherited["HTTPS_PROXY"]].some((proxy) => proxy !== undefined);
  const target = await abandonable(pinTarget(url, { allowed, behindProxy, resolve }), signal);
  const { repository } = gitFiles(folder);
  const alone = gitEnvironment(inherited, folder, null);
  const init = ["init", "--quiet", "--bare", "--template=", "--", repository];
  await readGit({ args: init, cwd: folder, env: alone, signal }, OUTPUT_BYTES);
  const env = {
    ...gitEnvironment(inherited, folder, url.protocol),
    ...credentialEnvironment(credentials, folder, target),
  };
  await readGit(
    { args: fetchArguments(url, source.branch, credentials, target), cwd: repository, env, signal },
    OUTPUT_BYTES,
  );
  const git: InRepository = (args, input = "") => ({ args, cwd: repository, env: alone, signal, input });
  const commit = await readCommit(git, FETCHED);
  await using objects = new GitObjects(git, null);
  const rootTree = await objects.rootTree(commit);
  const repositoryObjects = {
    commit,
    rootTree,
    readTree: (oid: string) => objects.readTree(oid),
    readBlob: (oid: string, maxBytes: number) => objects.readBlob(oid, maxBytes),
  };
  const tracked = { ...reading, path: source.path, engine: null };
  const { inputs, ...collected } = await readPackedInputs(repositoryObjects, reading.scansOf(""), tracked);
  return { ...(await packCollected(objects, collected)), commit, workFolder: collected.packed.workFolder, inputs };
}

/** Stops waiting for a look-up, which cannot be aborted, as soon as the signal aborts. */
async function abandonable<Value>(lookup: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([lookup, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
