import { constants, createWriteStream } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack as tarPack } from "tar-stream";

export interface PackOptions {
  toFile: string;
  /** Folder or file on disk, and its name in the archive. */
  roots: { path: string; name: string }[];
  /** Decides by the name in the archive. */
  exclude: (name: string) => boolean;
  /** Refuses files of other users: the engine could write to the packed folder. */
  mayRead: (uid: number) => boolean;
  signal: AbortSignal;
}

/**
 * Packs files, folders, and links whose targets are in the same root. Gives the names of all other entries, which are
 * omitted. Links are never followed.
 */
export async function pack(options: PackOptions): Promise<{ omitted: string[] }> {
  const archive = tarPack();
  const omitted: string[] = [];
  const writing = pipeline(archive, createGzip({ level: 1 }), createWriteStream(options.toFile, { mode: 0o600 }), {
    signal: options.signal,
  });
  const walking = (async () => {
    for (const root of options.roots) await packEntry(archive, root, { ...options, root: root.name, omitted });
    archive.finalize();
  })();
  walking.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  await Promise.all([walking, writing]);
  return { omitted };
}

interface Walk extends PackOptions {
  root: string;
  omitted: string[];
}

async function packEntry(archive: Pack, entry: { path: string; name: string }, walk: Walk): Promise<void> {
  walk.signal.throwIfAborted();
  const stat = await lstat(entry.path);
  const { name } = entry;
  if (stat.isDirectory()) {
    archive.entry({ name, type: "directory", mode: 0o755, mtime: stat.mtime });
    for (const child of (await readdir(entry.path)).sort()) {
      const childName = `${name}/${child}`;
      if (!walk.exclude(childName)) await packEntry(archive, { path: join(entry.path, child), name: childName }, walk);
    }
  } else if (stat.isSymbolicLink()) {
    const linkname = await readlink(entry.path);
    if (staysWithin(walk.root, name, linkname)) archive.entry({ name, type: "symlink", linkname, mtime: stat.mtime });
    else walk.omitted.push(name);
  } else if (stat.isFile()) {
    await packFile(archive, entry, walk);
  } else {
    walk.omitted.push(name);
  }
}

async function packFile(archive: Pack, { path, name }: { path: string; name: string }, walk: Walk): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || !walk.mayRead(stat.uid)) {
      walk.omitted.push(name);
      return;
    }
    const mode = (stat.mode & 0o111) === 0 ? 0o644 : 0o755;
    const sink = archive.entry({ name, type: "file", size: stat.size, mode, mtime: stat.mtime });
    // A file that grows meanwhile is cut at the size in its header.
    const content = file.createReadStream({ autoClose: false, ...(stat.size === 0 ? {} : { end: stat.size - 1 }) });
    await pipeline(content, sink, { signal: walk.signal });
  } finally {
    await file.close();
  }
}

function staysWithin(root: string, name: string, target: string): boolean {
  if (target.startsWith("/")) return false;
  const resolved = posix.normalize(posix.join(posix.dirname(name), target));
  return resolved === root || resolved.startsWith(`${root}/`);
}
