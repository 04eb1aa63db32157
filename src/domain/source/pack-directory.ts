/** Packs a folder of the server's disk as tar.gz. Equal content gives equal bytes, so that the digest identifies it. */
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, type UserError } from "../../model/kit/user-error.ts";
import { isWithin } from "./is-within.ts";
import type { PackedSource } from "../kit/git-fetcher.ts";
import { packEntries } from "./pack-entries.ts";
import { belowRoots } from "./source-roots.ts";
import { isLeftOut } from "../../model/source/left-out.ts";
import type { SourceEntry } from "./source-entry.ts";

const FIELD = "source.directory.path";

interface FolderEntry extends SourceEntry {
  size: number;
}

/**
 * Returns the real path of a folder below a root. A relative path is searched below each root. Throws INVALID_INPUT
 * naming the field.
 */
export async function resolveDirectory(path: string, roots: readonly string[]): Promise<string> {
  const candidates = isAbsolute(path) ? [path] : roots.map((root) => join(root, path));
  for (const candidate of path.includes("\0") ? [] : candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real === null || !roots.some((root) => isWithin(root, real))) continue;
    if ((await stat(real)).isDirectory()) return real;
  }
  throw invalidField(FIELD, `must be a folder that exists, ${belowRoots(roots)}`);
}

/** Packs a folder. Throws INVALID_INPUT if it is gone, too large, or contains a link that leaves it. */
export async function packDirectory(path: string, roots: readonly string[]): Promise<PackedSource> {
  const root = await resolveDirectory(path, roots);
  const entries = await list(root);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > LIMITS.sourceBytes) throw refused(`has ${size} bytes; at most ${LIMITS.sourceBytes} can be packed.`);
  return packEntries(entries);
}

/** Lists all files and links of a folder, sorted by name. */
async function list(root: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const name of (await readdir(folder)).toSorted()) {
      if (isLeftOut(name)) continue;
      const path = join(folder, name);
      const info = await lstat(path);
      if (info.isDirectory()) await walk(path);
      else if (info.isSymbolicLink()) entries.push(await link(root, path));
      else if (info.isFile()) {
        const executable = (info.mode & 0o100) !== 0;
        const read = (): Promise<Buffer> => readFile(path);
        entries.push({ name: nameOf(root, path), executable, target: null, read, size: info.size });
      } else throw refused(`holds ${nameOf(root, path)}, which is neither a file, a folder nor a link.`);
      if (entries.length > LIMITS.sourceFiles) throw refused(`has more than ${LIMITS.sourceFiles} files.`);
    }
  };
  await walk(root);
  return entries;
}

/** Reads a link, which must be relative and point into the folder. */
async function link(root: string, path: string): Promise<FolderEntry> {
  const target = await readlink(path);
  const real = await realpath(path).catch(() => null);
  const inside = isWithin(root, resolve(dirname(path), target)) && (real === null || isWithin(root, real));
  if (isAbsolute(target) || !inside) throw refused(`holds the link ${nameOf(root, path)}, which leaves the folder.`);
  return { name: nameOf(root, path), executable: false, target, read: () => Promise.resolve(Buffer.of()), size: 0 };
}

function nameOf(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function refused(what: string): UserError {
  return invalidField(FIELD, what);
}
