/** Reads git repositories by mirrors, and packs what a workspace reads of a commit. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { parseGitUrl } from "../../model/workspace/git-source.ts";
import type { GitSource } from "../../model/workspace/workspace.ts";
import { readPackedInputs } from "../inputs/read-inputs.ts";
import {
  type FetchedSource,
  type FetchOptions,
  type GitAccess,
  GitClosed,
  type GitFetcher,
  type RepositoryView,
  type SourceCommit,
} from "../kit/git-fetcher.ts";
import type { Resolve } from "../../network/guarded-lookup.ts";
import { type GitCredentials, gitCredentials, hostCredentials, secretsOf } from "./git-credentials.ts";
import { gitFiles } from "./git-environment.ts";
import { toUserError } from "./git-error.ts";
import { resolveRepository } from "./git-folder.ts";
import type { GitMirror } from "./git-mirror.ts";
import { GitMirrors } from "./git-mirrors.ts";
import { GitFailed } from "./git-process.ts";
import { createRemote, MirrorTooLarge, type Remote, type RemoteAddress, RemoteTimedOut } from "./git-remote.ts";
import { HostLimit } from "./host-limit.ts";
import { findGitVersion, isNewEnough, OLDEST_GIT } from "./git-version.ts";
import { packCollected } from "./pack-inputs.ts";
import { type MirrorPlace, openCommit, openView } from "./repository-view.ts";
import { SourceRefused } from "./source-entry.ts";

export interface GitFetcherOptions {
  /** A folder for mirrors, which are kept, and for temporary files. */
  folder: string;
  sourceRoots: readonly string[];
  /** The part of the server's environment that git may see. */
  inherited: Readonly<Record<string, string>>;
  limits: {
    gitMs: number;
    /** The size of one mirror, and of all. */
    gitBytes: number;
    mirrorsBytes: number;
    mirrorPacks: number;
    gitAtOnce: number;
    gitAtOncePerHost: number;
    /** Sources that are read, and that are packed, at a time. */
    gitReadsAtOnce: number;
    gitReadsPerHost: number;
    gitPacksAtOnce: number;
  };
  /** Hosts of repositories that are allowed although their addresses are not public. */
  allowed: readonly AllowedTarget[];
  resolve?: Resolve;
  randomBytes: (count: number) => Uint8Array;
  /** A keyed digest: names of mirrors must not show credentials. */
  mac: (text: string) => Buffer;
}

/** A repository with its mirror. */
interface Place {
  key: string;
  remote: Remote;
  address: RemoteAddress;
}

/** Creates the fetcher. Disposing it ends what runs; mirrors are kept. */
export async function createGitFetcher(options: GitFetcherOptions): Promise<GitFetcher> {
  const work = join(options.folder, "work");
  const home = join(options.folder, "home");
  for (const folder of [work, home]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  await mkdir(gitFiles(home).home);
  await writeFile(gitFiles(home).config, "");
  const closing = new AbortController();
  const { limits, inherited, randomBytes } = options;
  const mirrors = await GitMirrors.open({
    folder: join(options.folder, "mirrors"),
    home,
    inherited,
    randomBytes,
    maxBytes: limits.gitBytes,
    maxPacks: limits.mirrorPacks,
    maxTotalBytes: limits.mirrorsBytes,
    closing: closing.signal,
  });
  return new MirrorFetcher(options, { work, mirrors, closing });
}

class MirrorFetcher implements GitFetcher {
  readonly #options: GitFetcherOptions;
  readonly #work: string;
  readonly #mirrors: GitMirrors;
  readonly #closing: AbortController;
  #version: Promise<string | null> | undefined;
  readonly #connections: HostLimit;
  readonly #reads: HostLimit;
  readonly #packs;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    options: GitFetcherOptions,
    { work, mirrors, closing }: { work: string; mirrors: GitMirrors; closing: AbortController },
  ) {
    this.#options = options;
    this.#work = work;
    this.#mirrors = mirrors;
    this.#closing = closing;
    const { gitAtOnce, gitAtOncePerHost, gitReadsAtOnce, gitReadsPerHost } = options.limits;
    this.#connections = new HostLimit(gitAtOnce, gitAtOncePerHost);
    this.#reads = new HostLimit(gitReadsAtOnce, gitReadsPerHost);
    this.#packs = pLimit(options.limits.gitPacksAtOnce);
  }

  fetch(source: GitSource, access: GitAccess, options: FetchOptions): Promise<FetchedSource> {
    const { at } = options;
    const ref = at?.ref ?? `refs/heads/${source.branch}`;
    const pack = async (view: RepositoryView): Promise<FetchedSource> => {
      const commit = at?.commit ?? view.commits.get(ref);
      if (commit === undefined) {
        throw invalidField("source.git.branch", `is not there: the repository has no branch "${source.branch}".`);
      }
      const objects = await view.objects(commit);
      const tracked = { ...options, path: source.path, engine: null };
      const { inputs, ...collected } = await readPackedInputs(objects, options.scansOf(view.mirror), tracked);
      const packed = await packCollected(objects, collected, this.#packs);
      return { ...packed, commit, workFolder: collected.packed.workFolder, inputs };
    };
    const inTurn = this.#reads.of(parseGitUrl(source.url));
    return this.#tracked(
      inTurn(() =>
        this.#read(source, access, (place) =>
          at === undefined ? openView(place, [ref], pack) : openCommit(place, at, pack),
        ),
      ),
    );
  }

  read<Result>(
    source: GitSource,
    access: GitAccess,
    refs: readonly string[] | SourceCommit,
    work: (view: RepositoryView) => Promise<Result>,
  ): Promise<Result> {
    const inTurn = this.#reads.of(parseGitUrl(source.url));
    const open = (place: MirrorPlace): Promise<Result> =>
      "commit" in refs ? openCommit(place, refs, work) : openView(place, refs, work);
    return this.#tracked(inTurn(() => this.#read(source, access, open)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new GitClosed("The server is shutting down."));
    await Promise.allSettled(this.#underWay);
    await rm(this.#work, { recursive: true, force: true });
  }

  async #tracked<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  async #read<Result>(
    source: GitSource,
    access: GitAccess,
    open: (place: MirrorPlace) => Promise<Result>,
  ): Promise<Result> {
    // Git is asked once, when a repository is first read: many servers read none.
    this.#version ??= findGitVersion(this.#options.inherited["PATH"] ?? "", this.#closing.signal);
    requireNewEnough(await this.#version);
    const place = await this.#placeOf(source, access);
    try {
      return await this.#attempt(place, (mirror) => open({ ...place, mirror }));
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      const { folder, limits } = this.#options;
      const hidden = { secrets: secretsOf(place.address.credentials), folder };
      throw toUserError(error, { source, hidden, limits });
    }
  }

  /** Uses the mirror of a repository; one that proves to be broken is replaced, once. */
  async #attempt<Result>(
    place: Place,
    work: (mirror: GitMirror) => Promise<Result>,
    isRepeated = false,
  ): Promise<Result> {
    const mirror = this.#mirrors.get(place.key);
    const { isFilled } = mirror;
    try {
      const result = await mirror.use(() => work(mirror));
      await this.#mirrors.settle(place.key, mirror);
      return result;
    } catch (error) {
      // Another request may have found it broken first.
      const wasDiscarded = mirror.isDiscarded;
      const isBroken = wasDiscarded || mayBeBroken(error);
      if (isBroken || !mirror.isFilled) await this.#mirrors.discard(place.key, mirror);
      this.#closing.signal.throwIfAborted();
      const isFresh = !isFilled && !wasDiscarded;
      if (!isBroken || isFresh || isRepeated || error instanceof RemoteTimedOut) throw error;
    }
    return this.#attempt(place, work, true);
  }

  async #placeOf(source: GitSource, access: GitAccess): Promise<Place> {
    const url = parseGitUrl(source.url);
    const { credentials, owner } = credentialsFor(url, access);
    const { sourceRoots, inherited, allowed, resolve, limits, mac } = this.#options;
    const repository = url.protocol === "file" ? await resolveRepository(url.folder, sourceRoots) : null;
    // The real path: a link changed meanwhile must not lead git elsewhere.
    const real = repository === null ? url : { ...url, url: `file://${encodeURI(repository)}` };
    const address = { url: real, credentials, repository };
    const remote = createRemote(
      {
        folder: this.#work,
        inherited,
        allowed,
        resolve,
        gitMs: limits.gitMs,
        limit: this.#connections.of(url),
        closing: this.#closing.signal,
      },
      address,
    );
    // By the credential too: what one may read must not show to another.
    const key = mac(JSON.stringify([real.url, owner]))
      .toString("hex")
      .slice(0, 32);
    return { key, remote, address };
  }
}

/** Returns the credentials, and to whom the mirror belongs. */
function credentialsFor(
  url: RemoteAddress["url"],
  access: GitAccess,
): { credentials: GitCredentials; owner: GitCredentials | { holder: string } } {
  if ("login" in access) {
    const { login, holder } = access;
    const credentials = hostCredentials(url, login);
    return { credentials, owner: holder === null ? credentials : { holder } };
  }
  try {
    const credentials = gitCredentials(url, access);
    return { credentials, owner: credentials };
  } catch (error) {
    if (!(error instanceof SourceRefused)) throw error;
    throw invalidField("source.git.url", error.message);
  }
}

/** Throws INVALID_INPUT if git is too old to be kept to the addresses that were checked. */
function requireNewEnough(version: string | null): void {
  if (version === null || isNewEnough(version)) return;
  throw invalidField(
    "source.git",
    `cannot be fetched: this server has git ${version}, and needs ${OLDEST_GIT} or newer.`,
  );
}

/** Messages of git about the other side. */
const OF_THE_REMOTE =
  /unable to access|requested URL returned|could not resolve|authentication failed|could not read (?:username|password)|could not read from remote|permission denied|host key verification|does not appear to be a git repository|remote error|terminal prompts disabled|connection (?:refused|reset|timed out|closed)|hung up|early EOF|dubious ownership/i;

/** Files of a mirror that are gone. */
const GONE = new Set(["ENOENT", "ENOTDIR"]);

/** Whether an error may be due to the state of the mirror. Errors of what reads it are none of those. */
function mayBeBroken(error: unknown): boolean {
  if (error instanceof GitFailed) return !OF_THE_REMOTE.test(error.message);
  if (error instanceof MirrorTooLarge || error instanceof RemoteTimedOut) return true;
  return error instanceof Error && "syscall" in error && "code" in error && GONE.has(String(error.code));
}
