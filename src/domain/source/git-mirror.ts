/** A partial clone of one repository under one credential. It is a cache: it may be lost at any time. */
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outgrows } from "./folder-size.ts";
import { gitEnvironment } from "./git-environment.ts";
import { GitObjects, type InRepository } from "./git-objects.ts";
import { GitFailed, readGit } from "./git-process.ts";
import { MirrorTooLarge, type Remote, type RunRemote } from "./git-remote.ts";

const OUTPUT_BYTES = 64 * 1024;
const REFS_BYTES = 64 * 1024 * 1024;
/** Git's own refs of a mirror: `refs/heads/main` is kept as `refs/hp/heads/main`. */
const KEPT = "refs/hp/";
/** A file that is there while git writes: a mirror with it was interrupted and may be broken. */
const BUSY = "busy";

/**
 * The remote as a promisor: objects that are missing were left out on purpose. Only what writes knows it. Git that reads takes
 * them for missing, where a promisor would make it fetch each by a connection of its own.
 */
const PROMISOR = ["-c", "remote.origin.promisor=true", "-c", "remote.origin.partialclonefilter=blob:none"];

export interface MirrorOptions {
  /** The folder of this mirror, which may not exist yet. */
  folder: string;
  /** A folder of the server for git's own files. */
  home: string;
  inherited: Readonly<Record<string, string>>;
  maxBytes: number;
  /** With more, git makes one pack of them. */
  maxPacks: number;
  /** Ends everything. */
  closing: AbortSignal;
}

/** A look: one fetch that brings refs up to date. */
interface Look {
  refs: Set<string>;
  remote: Remote;
  commits: Promise<ReadonlyMap<string, string>>;
}

export class GitMirror {
  readonly folder: string;
  readonly #options: MirrorOptions;
  /** The network is used by one process at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The look that has not begun yet, and that further requests join. */
  #next: Look | null = null;
  #missing: { oids: Set<string>; fetched: Promise<void> } | null = null;
  #objects: { open: GitObjects; users: number } | null = null;
  #remote: Remote | null = null;
  #made: boolean;
  /** Whether refs are fetched with all their files. */
  #isWhole = false;
  #filled: boolean;
  #users = 0;
  #discarded = false;

  /** `isThere`: an earlier process left it, complete. */
  constructor(options: MirrorOptions, isThere: boolean) {
    this.folder = options.folder;
    this.#options = options;
    this.#made = isThere;
    this.#filled = isThere;
  }

  /** Whether something uses the mirror. */
  get inUse(): boolean {
    return this.#users > 0;
  }

  /** Whether a look has ever succeeded: then a later error may be due to the state of the mirror. */
  get isFilled(): boolean {
    return this.#filled;
  }

  get repository(): string {
    return join(this.folder, "repository.git");
  }

  /** Uses the mirror; it is not evicted meanwhile. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
    }
  }

  /**
   * Brings refs up to date (`refs/heads/main`) and returns the commits of those that exist. The look begins after the
   * call: one that is waiting is joined, one that has begun is not.
   */
  look(remote: Remote, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const next = this.#next ?? this.#planLook(remote);
    for (const ref of refs) next.refs.add(ref);
    return next.commits;
  }

  /** Makes the mirror usable without a look: objects that are missing are fetched from this remote. */
  async open(remote: Remote): Promise<void> {
    this.#remote ??= remote;
    // A mirror that is there does not wait for the network.
    if (!this.#made) await this.#inTurn(() => this.#make());
  }

  /** Reads objects. Those that are missing are fetched from the remote of the newest look. */
  async withObjects<Result>(work: (objects: GitObjects) => Promise<Result>): Promise<Result> {
    const shared = this.#objects ?? {
      open: new GitObjects(this.#inRepository(), (oids) => this.#fetchMissing(oids)),
      users: 0,
    };
    this.#objects = shared;
    shared.users += 1;
    try {
      return await work(shared.open);
    } catch (error) {
      // A process that failed is of no use to others.
      if (this.#objects === shared) this.#objects = null;
      throw error;
    } finally {
      shared.users -= 1;
      if (shared.users === 0) {
        if (this.#objects === shared) this.#objects = null;
        await shared.open[Symbol.asyncDispose]();
      }
    }
  }

  /** Whether a commit is among those before another one. Both must have been fetched. */
  async isAncestor(older: string, newer: string): Promise<boolean> {
    const missing = ["rev-list", "--max-count=1", older, `^${newer}`, "--"];
    return (await readGit(this.#inRepository()(missing), OUTPUT_BYTES)).length === 0;
  }

  /** Removes the mirror. What uses it fails. */
  async discard(): Promise<void> {
    this.#discarded = true;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get isDiscarded(): boolean {
    return this.#discarded;
  }

  #planLook(remote: Remote): Look {
    const look: Look = { refs: new Set(), remote, commits: Promise.resolve(new Map()) };
    look.commits = this.#inTurn(async () => {
      await this.#make();
      return remote.connect(async (run) => {
        // From here on git may have read the refs: later requests need a look of their own.
        this.#next = null;
        return this.#lookNow(run, [...look.refs]);
      });
    }).finally(() => {
      if (this.#next === look) this.#next = null;
    });
    this.#next = look;
    this.#remote = remote;
    look.commits.catch(() => undefined);
    return look;
  }

  async #lookNow(run: RunRemote, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const there = await this.#fetchRefs(run, refs);
    await this.#tidy();
    const listed = await this.#readRefs();
    this.#filled = true;
    return new Map(refs.flatMap((ref) => (there.has(ref) && listed.has(ref) ? [[ref, listed.get(ref) ?? ""]] : [])));
  }

  /** Fetches refs; returns those that exist. `more`: further options of the fetch. */
  async #fetchRefs(
    run: RunRemote,
    refs: readonly string[],
    more: readonly string[] = [],
  ): Promise<ReadonlySet<string>> {
    const options = [...more, this.#isWhole ? "--no-filter" : NO_FILES];
    try {
      await this.#write(run, fetchOf(refs, options));
      return new Set(refs);
    } catch (error) {
      if (!(error instanceof GitFailed) || !/couldn't find remote ref/i.test(error.message)) throw error;
    }
    // One that does not exist fails all.
    const listing = await run(["ls-remote", "--quiet", "origin", ...refs], { cwd: this.repository });
    const listed = new Set(
      listing
        .toString()
        .split("\n")
        .map((line) => line.slice(line.indexOf("\t") + 1)),
    );
    const there = refs.filter((ref) => listed.has(ref));
    if (there.length > 0) await this.#write(run, fetchOf(there, options));
    return new Set(there);
  }

  async #readRefs(): Promise<ReadonlyMap<string, string>> {
    const format = "--format=%(objectname) %(*objectname) %(refname)";
    const output = await readGit(this.#inRepository()(["for-each-ref", format, KEPT]), REFS_BYTES);
    const lines = output
      .toString()
      .split("\n")
      .filter((line) => line !== "");
    return new Map(
      lines.map((line) => {
        const [oid = "", peeled = "", name = ""] = line.split(" ");
        // An annotated tag has the commit that it names.
        return [name.replace(KEPT, "refs/"), peeled === "" ? oid : peeled];
      }),
    );
  }

  /** Fetches objects together with all others that are missed until git is free. */
  #fetchMissing(oids: readonly string[]): Promise<void> {
    const waiting = this.#missing ?? this.#planMissing();
    for (const oid of oids) waiting.oids.add(oid);
    return waiting.fetched;
  }

  #planMissing(): { oids: Set<string>; fetched: Promise<void> } {
    const missing = { oids: new Set<string>(), fetched: Promise.resolve() };
    missing.fetched = this.#inTurn(async () => {
      const remote = this.#remote;
      if (remote === null) throw new GitFailed("the mirror has no remote");
      await remote.connect(async (run) => {
        this.#missing = null;
        const args = ["-c", "fetch.negotiationAlgorithm=noop", "fetch", ...FETCH, NO_FILES, "--stdin", "origin"];
        try {
          await this.#write(run, args, [...missing.oids].map((oid) => `${oid}\n`).join(""));
        } catch (error) {
          if (this.#isWhole || !(error instanceof GitFailed) || !/unadvertised object/i.test(error.message))
            throw error;
          await this.#fetchWhole(run);
        }
      });
    }).finally(() => {
      if (this.#missing === missing) this.#missing = null;
    });
    this.#missing = missing;
    missing.fetched.catch(() => undefined);
    return missing;
  }

  /** Fetches all that refs have, from a host that gives no single objects: one over ssh without protocol 2, for example. */
  async #fetchWhole(run: RunRemote): Promise<void> {
    this.#isWhole = true;
    await this.#fetchRefs(run, [...(await this.#readRefs()).keys()], ["--refetch"]);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(() => this.use(work));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Runs git with a mark that it writes, and within the size of a mirror. An interrupted one leaves the mark. */
  async #write(run: RunRemote, args: readonly string[], input = ""): Promise<void> {
    const { maxBytes } = this.#options;
    const busy = join(this.folder, BUSY);
    await writeFile(busy, "");
    const size = new AbortController();
    const done = new AbortController();
    const watching = outgrows(this.folder, maxBytes, done.signal).then((tooLarge) => {
      if (tooLarge) size.abort(new MirrorTooLarge());
    });
    try {
      await run([...PROMISOR, ...args], { cwd: this.repository, input, signal: size.signal });
    } catch (error) {
      // Git removes its temporary files only if it was not killed.
      if (error instanceof GitFailed && !size.signal.aborted) await rm(busy, { force: true });
      throw error;
    } finally {
      done.abort();
      await watching;
    }
    size.signal.throwIfAborted();
    await rm(busy, { force: true });
  }

  async #make(): Promise<void> {
    if (!this.#made) {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.folder, BUSY), "");
      const args = ["init", "--quiet", "--bare", "--template=", "--initial-branch=none", "--", this.repository];
      await readGit(this.#call(args, this.folder), OUTPUT_BYTES);
      this.#made = true;
    }
    const now = new Date();
    await utimes(this.folder, now, now);
  }

  /** Makes one pack of many. */
  async #tidy(): Promise<void> {
    const packs = await readdir(join(this.repository, "objects/pack"));
    if (packs.filter((name) => name.endsWith(".pack")).length <= this.#options.maxPacks) return;
    const busy = join(this.folder, BUSY);
    await writeFile(busy, "");
    await readGit(this.#inRepository()([...PROMISOR, "repack", "-a", "-d", "-q"]), OUTPUT_BYTES);
    await readGit(this.#inRepository()(["pack-refs", "--all"]), OUTPUT_BYTES);
    await rm(busy, { force: true });
  }

  #inRepository(): InRepository {
    return (args, input = "") => ({ ...this.#call(args, this.repository), input });
  }

  #call(args: readonly string[], cwd: string) {
    const { inherited, home, closing } = this.#options;
    return { args, cwd, env: gitEnvironment(inherited, home, null), signal: closing };
  }
}

const FETCH = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance"];

const NO_FILES = "--filter=blob:none";

function fetchOf(refs: readonly string[], options: readonly string[]): string[] {
  const specs = refs.map((ref) => `+${ref}:${ref.replace("refs/", KEPT)}`);
  return ["fetch", ...FETCH, ...options, "--", "origin", ...specs];
}

/** Whether a process was interrupted while it wrote into the mirror. */
export async function isInterrupted(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes(BUSY);
}
