/** Reads the refs of repositories: over https by a request of its own, else by git. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { GitLogin } from "../../model/repository/git-host.ts";
import { type GitUrl, parseGitUrl } from "../../model/workspace/git-source.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { GitClosed } from "../kit/git-fetcher.ts";
import { type RefReader, RefsUnreadable, type RemoteRefs, type WantedRefs } from "../kit/ref-reader.ts";
import type { Resolve } from "../../network/guarded-lookup.ts";
import { pinTarget } from "./git-address.ts";
import { readCertificates } from "./certificates.ts";
import { hostCredentials, secretsOf } from "./git-credentials.ts";
import { credentialEnvironment, gitConfig, gitEnvironment, listArguments, writeGitFiles } from "./git-environment.ts";
import { shownMessage } from "./git-error.ts";
import { resolveRepository } from "./git-folder.ts";
import { GitFailed, readGit } from "./git-process.ts";
import { lsRefs } from "./ls-refs.ts";
import { parseLsRemote } from "./ref-list.ts";

export interface RefReaderOptions {
  /** A folder for keys while git uses them; emptied at the start. */
  folder: string;
  sourceRoots: readonly string[];
  /** The part of the server's environment that git may see. */
  inherited: Readonly<Record<string, string>>;
  limits: { refReadMs: number; refListBytes: number; refReadsAtOnce: number };
  /** Hosts of repositories that are allowed although their addresses are not public. */
  allowed: readonly AllowedTarget[];
  resolve?: Resolve;
}

/** Creates the reader. Disposing it ends running reads. */
export async function createRefReader(options: RefReaderOptions): Promise<RefReader> {
  await rm(options.folder, { recursive: true, force: true });
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const limit = pLimit(options.limits.refReadsAtOnce);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const ca = await readCertificates(options.inherited);
  return {
    async read(url, credential, wanted) {
      const work = limit(() => readOnce({ ...options, ca }, { url, credential, wanted, closing: closing.signal }));
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new GitClosed("The server is shutting down."));
      await Promise.allSettled(underWay);
      await rm(options.folder, { recursive: true, force: true });
    },
  };
}

interface Asked {
  url: string;
  credential: GitLogin;
  wanted: WantedRefs;
  closing: AbortSignal;
}

type ReadOptions = RefReaderOptions & { ca: Buffer | undefined };

async function readOnce(options: ReadOptions, { url: text, credential, wanted, closing }: Asked): Promise<RemoteRefs> {
  const url = parseGitUrl(text);
  const { refReadMs, refListBytes: bytes } = options.limits;
  const time = AbortSignal.timeout(refReadMs);
  const signal = AbortSignal.any([closing, time]);
  try {
    if (url.protocol === "https" && !isBehindProxy(options.inherited)) {
      const { allowed, resolve, ca } = options;
      const refs = await lsRefs(text, credential, wanted, { allowed, resolve, ca, bytes, signal });
      if (refs !== null) return refs;
    }
    return await lsRemote(options, url, { credential, wanted, signal });
  } catch (error) {
    closing.throwIfAborted();
    if (time.aborted) throw new RefsUnreadable(`The host did not answer within ${refReadMs / 1000} seconds.`);
    throw error;
  }
}

function isBehindProxy(inherited: Readonly<Record<string, string>>): boolean {
  return inherited["https_proxy"] !== undefined || inherited["HTTPS_PROXY"] !== undefined;
}

async function lsRemote(
  { folder: parent, sourceRoots, inherited, allowed, resolve, limits }: ReadOptions,
  url: GitUrl,
  { credential, wanted, signal }: Omit<Asked, "url" | "closing"> & { signal: AbortSignal },
): Promise<RemoteRefs> {
  const credentials = hostCredentials(url, credential);
  const folder = await mkdtemp(join(parent, "refs-"));
  try {
    const repository = url.protocol === "file" ? await resolveRepository(url.folder, sourceRoots) : null;
    // The real path: a link changed meanwhile must not lead git elsewhere.
    const address = repository === null ? url : { ...url, url: `file://${encodeURI(repository)}` };
    await writeGitFiles(folder, credentials, gitConfig(repository));
    const target = await pinTarget(url, { allowed, behindProxy: isBehindProxy(inherited), resolve });
    const env = {
      ...gitEnvironment(inherited, folder, url.protocol),
      ...credentialEnvironment(credentials, folder, target),
    };
    const args = listArguments(address, wanted, credentials, target);
    const output = await readGit({ args, cwd: folder, env, signal }, limits.refListBytes);
    return parseLsRemote(output.toString(), wanted);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitFailed)
      throw new RefsUnreadable(shownMessage(error, { secrets: secretsOf(credentials), folder }));
    if (error instanceof UserError) throw new RefsUnreadable(error.message.replace(/^[\w.]+: /, "The repository "));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
