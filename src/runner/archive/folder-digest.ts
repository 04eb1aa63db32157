import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import {
  chmod,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  symlink,
} from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";

export interface DigestBounds {
  /** Bounds the sum of all files. */
  readonly bytes: number;
  readonly entries: number;
}

/** A folder to copy. The copy shares nothing with its origin: no link, no open file, no access list. */
export interface Copied {
  readonly from: string;
  /** Must not exist yet. */
  readonly to: string;
}

interface Walk {
  readonly hash: Hash;
  readonly uid: number;
  bytes: number;
  entries: number;
}

/** An entry of a walk. `to`: the path of its copy; `null` if it is not copied. */
interface Entry {
  readonly path: string;
  readonly name: string;
  readonly to: string | null;
}

/**
 * Computes the SHA-256 (hex) of folders: names, kinds, modes, owners, links and contents. `null` if a bound is exceeded, or
 * an entry is no folder, no link and no file of this user. `null` also for an absolute link to a neighbour of the folders,
 * which would be broken in a copy.
 */
export function digestFolders(folders: readonly string[], uid: number, bounds: DigestBounds): Promise<string | null> {
  return walkFolders(
    folders.map((path) => ({ path, name: "", to: null })),
    uid,
    bounds,
  );
}

/** Copies folders and computes the digest from the bytes that it writes. `null` as in `digestFolders`. */
export function copyFolders(folders: readonly Copied[], uid: number, bounds: DigestBounds): Promise<string | null> {
  return walkFolders(
    folders.map(({ from, to }) => ({ path: from, name: "", to })),
    uid,
    bounds,
  );
}

async function walkFolders(
  roots: readonly Entry[],
  uid: number,
  { bytes, entries }: DigestBounds,
): Promise<string | null> {
  const walk: Walk = { hash: createHash("sha256"), uid, bytes, entries };
  for (const root of roots) if (!(await takeEntry(root, dirname(root.path), walk))) return null;
  return walk.hash.digest("hex");
}

async function takeEntry(entry: Entry, place: string, walk: Walk): Promise<boolean> {
  const { path, name, to } = entry;
  walk.entries -= 1;
  const stat = await lstat(path);
  const { mode, uid, size } = stat;
  if (walk.entries < 0 || uid !== walk.uid) return false;
  const note = (...facts: unknown[]): void => void walk.hash.update(`${JSON.stringify([name, mode, ...facts])}\n`);
  if (stat.isSymbolicLink()) {
    const target = await readlink(path);
    note(target);
    if (isAbsolute(target) && (await isLinkInto(path, place))) return false;
    if (to !== null) await symlink(target, to);
    if (to !== null) await own(to, uid);
    return true;
  }
  if (stat.isDirectory()) {
    const children = (await readdir(path)).toSorted();
    note(children.length);
    if (to !== null) await mkdir(to, { mode: 0o700 });
    for (const child of children) {
      const inner = { path: join(path, child), name: `${name}/${child}`, to: to === null ? null : join(to, child) };
      if (!(await takeEntry(inner, place, walk))) return false;
    }
    if (to !== null) await chmod(to, mode & PERMISSIONS);
    if (to !== null) await own(to, uid);
    return true;
  }
  walk.bytes -= size;
  if (!stat.isFile() || walk.bytes < 0) return false;
  note(size);
  return takeFile(entry, size, walk);
}

const PERMISSIONS = 0o777;

async function isLinkInto(link: string, place: string): Promise<boolean> {
  const [target, real] = await Promise.all([realpath(link).catch(() => null), realpath(place)]);
  return target?.startsWith(real + sep) === true;
}

async function own(path: string, uid: number): Promise<void> {
  if (uid !== process.getuid?.()) await lchown(path, uid, uid);
}

async function takeFile({ path, to }: Entry, size: number, { hash, uid }: Walk): Promise<boolean> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await file.stat();
  if (!stat.isFile() || stat.uid !== uid) return false;
  if (to === null) {
    await takeContent(file, size, (piece) => void hash.update(piece));
    return true;
  }
  await using copy = await open(to, "wx", 0o600);
  await takeContent(file, size, async (piece) => {
    hash.update(piece);
    await copy.writeFile(piece);
  });
  if (uid !== process.getuid?.()) await copy.chown(uid, uid);
  await copy.chmod(stat.mode & PERMISSIONS);
  return true;
}

/** Reads at most `size` bytes, so a file that grows meanwhile only changes the digest. */
async function takeContent(
  file: FileHandle,
  size: number,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<void> {
  if (size === 0) return;
  for await (const piece of file.createReadStream({ autoClose: false, end: size - 1 })) {
    if (Buffer.isBuffer(piece)) await take(piece);
  }
}
