import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

export interface DigestBounds {
  /** Of all files together. */
  readonly bytes: number;
  readonly entries: number;
}

interface Walk {
  readonly hash: Hash;
  readonly uid: number;
  bytes: number;
  entries: number;
}

/**
 * The SHA-256 (hex) of everything in some folders: names, kinds, modes, owners, links and contents. null where there is
 * more than the bounds allow, or something that is no folder, no link and no file of this user.
 */
export async function digestFolders(
  folders: readonly string[],
  uid: number,
  { bytes, entries }: DigestBounds,
): Promise<string | null> {
  const walk: Walk = { hash: createHash("sha256"), uid, bytes, entries };
  for (const folder of folders) if (!(await takeEntry(folder, "", walk))) return null;
  return walk.hash.digest("hex");
}

async function takeEntry(path: string, name: string, walk: Walk): Promise<boolean> {
  walk.entries -= 1;
  const stat = await lstat(path);
  const { mode, uid, size } = stat;
  if (walk.entries < 0 || uid !== walk.uid) return false;
  const note = (...facts: unknown[]): void => void walk.hash.update(`${JSON.stringify([name, mode, ...facts])}\n`);
  if (stat.isSymbolicLink()) {
    note(await readlink(path));
    return true;
  }
  if (stat.isDirectory()) {
    const children = (await readdir(path)).toSorted();
    note(children.length);
    for (const child of children) if (!(await takeEntry(join(path, child), `${name}/${child}`, walk))) return false;
    return true;
  }
  walk.bytes -= size;
  if (!stat.isFile() || walk.bytes < 0) return false;
  note(size);
  return takeContent(path, size, walk.hash);
}

/** Never more than its size was: whoever makes it grow meanwhile changes the digest, and that is all. */
async function takeContent(path: string, size: number, hash: Hash): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return false;
    if (size > 0)
      for await (const piece of file.createReadStream({ autoClose: false, end: size - 1 })) hash.update(piece);
    return true;
  } finally {
    await file.close();
  }
}
