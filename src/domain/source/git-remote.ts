/** Runs git against one repository under one credential. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { GitUrl } from "../../model/workspace/git-source.ts";
import type { Resolve } from "../../network/guarded-lookup.ts";
import { addressFor, pinTarget } from "./git-address.ts";
import type { GitCredentials } from "./git-credentials.ts";
import { credentialEnvironment, gitConfig, gitEnvironment, gitOptions, writeGitFiles } from "./git-environment.ts";
import { GitFailed, readGit } from "./git-process.ts";
import type { InTurn } from "./host-limit.ts";

/** Git did not end in time. */
export class RemoteTimedOut extends Error {
  override readonly name = "RemoteTimedOut";
}

/** The mirror is larger than one may be. */
export class MirrorTooLarge extends Error {
  override readonly name = "MirrorTooLarge";
}

export interface RemoteOptions {
  /** A folder for keys and configurations while git uses them. */
  folder: string;
  inherited: Readonly<Record<string, string>>;
  /** Hosts of repositories that are allowed although their addresses are not public. */
  allowed: readonly AllowedTarget[];
  resolve?: Resolve | undefined;
  gitMs: number;
  /** Limits connections at a time. */
  limit: InTurn;
  closing: AbortSignal;
}

/** The address of a repository, and how git authenticates there. */
export interface RemoteAddress {
  url: GitUrl;
  credentials: GitCredentials;
  /** The real path of a repository on the server's disk; else `null`. */
  repository: string | null;
}

export interface RemoteCall {
  cwd: string;
  input?: string;
  signal?: AbortSignal;
}

/** Runs git with the remote `origin`, and returns its output. */
export type RunRemote = (args: readonly string[], call: RemoteCall) => Promise<Buffer>;

export interface Remote {
  /** Looks up the host, and lets `work` run git there. Throws RemoteTimedOut, GitFailed, and INVALID_INPUT for the address. */
  connect: <Result>(work: (run: RunRemote) => Promise<Result>) => Promise<Result>;
}

const OUTPUT_BYTES = 64 * 1024;

export function createRemote(options: RemoteOptions, address: RemoteAddress): Remote {
  return { connect: (work) => options.limit(() => connect(options, address, work)) };
}

async function connect<Result>(
  { folder: parent, inherited, allowed, resolve, gitMs, closing }: RemoteOptions,
  { url, credentials, repository }: RemoteAddress,
  work: (run: RunRemote) => Promise<Result>,
): Promise<Result> {
  closing.throwIfAborted();
  const folder = await mkdtemp(join(parent, "fetch-"));
  const time = AbortSignal.timeout(gitMs);
  const signal = AbortSignal.any([closing, time]);
  try {
    await writeGitFiles(folder, credentials, gitConfig(repository));
    const behindProxy = [inherited["https_proxy"], inherited["HTTPS_PROXY"]].some((proxy) => proxy !== undefined);
    const target = await abandonable(pinTarget(url, { allowed, behindProxy, resolve }), signal);
    const env = {
      ...gitEnvironment(inherited, folder, url.protocol),
      ...credentialEnvironment(credentials, folder, target),
    };
    const settings = [...gitOptions(url, credentials, target), "-c", `remote.origin.url=${addressFor(url)}`];
    return await work((args, { cwd, input = "", signal: other }) => {
      const ends = other === undefined ? signal : AbortSignal.any([signal, other]);
      return readGit({ args: [...settings, ...args], cwd, env, signal: ends, input }, OUTPUT_BYTES);
    });
  } catch (error) {
    closing.throwIfAborted();
    if (time.aborted) throw new RemoteTimedOut("Git did not end in time.");
    // The folder means nothing to people, and differs between requests.
    if (error instanceof GitFailed) throw new GitFailed(error.message.replaceAll(folder, "..."));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
