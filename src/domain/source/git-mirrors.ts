/** Keeps the mirrors of repositories in a folder of the server, within a size. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "./folder-size.ts";
import { GitMirror, isInterrupted, type MirrorOptions } from "./git-mirror.ts";

export interface MirrorsOptions extends Omit<MirrorOptions, "folder"> {
  /** The folder of all mirrors. */
  folder: string;
  /** The size of all mirrors together; those that were used longest ago are removed. */
  maxTotalBytes: number;
  randomBytes: (count: number) => Uint8Array;
}

interface Kept {
  mirror: GitMirror;
  bytes: number;
}

const NAME = /^([0-9a-f]{32})\.[0-9a-f]{16}$/;

export class GitMirrors {
  readonly #options: MirrorsOptions;
  /** By key, the one that was used longest ago first. */
  readonly #kept = new Map<string, Kept>();

  private constructor(options: MirrorsOptions) {
    this.#options = options;
  }

  /** Finds the mirrors that an earlier process left complete, and removes others. */
  static async open(options: MirrorsOptions): Promise<GitMirrors> {
    const mirrors = new GitMirrors(options);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const found: { key: string; folder: string; usedMs: number }[] = [];
    for (const name of await readdir(options.folder)) {
      const folder = join(options.folder, name);
      const key = NAME.exec(name)?.[1];
      const isKept = key !== undefined && !(await isInterrupted(folder).catch(() => true));
      if (isKept) found.push({ key, folder, usedMs: (await stat(folder)).mtimeMs });
      else await rm(folder, { recursive: true, force: true });
    }
    for (const { key, folder } of found.toSorted((a, b) => a.usedMs - b.usedMs)) {
      await mirrors.#kept.get(key)?.mirror.discard();
      mirrors.#kept.delete(key);
      mirrors.#kept.set(key, { mirror: new GitMirror({ ...options, folder }, true), bytes: await folderSize(folder) });
    }
    await mirrors.evict();
    return mirrors;
  }

  /** Returns the mirror of a key, which may be empty. */
  get(key: string): GitMirror {
    const kept = this.#kept.get(key) ?? { mirror: this.#create(key), bytes: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.mirror;
  }

  /** Removes a mirror; its key gets another one. */
  async discard(key: string, mirror: GitMirror): Promise<void> {
    if (this.#kept.get(key)?.mirror === mirror) this.#kept.delete(key);
    await mirror.discard();
  }

  /** Notes the size of a mirror that was used, and removes others until all fit. */
  async settle(key: string, mirror: GitMirror): Promise<void> {
    const kept = this.#kept.get(key);
    if (kept?.mirror === mirror) kept.bytes = await folderSize(mirror.folder);
    await this.evict();
  }

  async evict(): Promise<void> {
    let total = [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [key, { mirror, bytes }] of this.#kept) {
      if (total <= this.#options.maxTotalBytes) return;
      if (mirror.inUse) continue;
      total -= bytes;
      await this.discard(key, mirror);
    }
  }

  #create(key: string): GitMirror {
    // A name of its own, so that a process of git that outlived its server cannot write into a later mirror.
    const nonce = Buffer.from(this.#options.randomBytes(8)).toString("hex");
    return new GitMirror({ ...this.#options, folder: join(this.#options.folder, `${key}.${nonce}`) }, false);
  }
}
