/** A folder on the server's disk as a tar.gz: the same content gives the same bytes, so that its digest names it. */
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { LIMITS } from "../../model/limits.ts";
import { invalidField, type UserError } from "../../model/user-error.ts";
import { digestOf } from "../../persistence/blob-store.ts";
import { isWithin } from "./is-within.ts";

export interface PackedSource {
  /** SHA-256 (hex) of the archive. */
  digest: string;
  /** tar.gz */
  archive: Buffer;
}

/** What an engine or git leaves behind, and what holds secrets or state that Holdpoint keeps itself. */
const LEFT_OUT = new Set([".git", ".terraform", "terraform.tfstate", "terraform.tfstate.backup", "crash.log"]);
const FIELD = "source.directory.path";

interface Entry {
  name: string;
  path: string;
  type: "file" | "symlink";
  executable: boolean;
  /** Of a symlink. */
  target: string;
  size: number;
}

/**
 * The real path of a folder below one of the roots. A relative path is looked for below each root.
 * Throws INVALID_INPUT naming the field.
 */
export async function resolveDirectory(path: string, roots: readonly string[]): Promise<string> {
  const candidates = isAbsolute(path) ? [path] : roots.map((root) => join(root, path));
  for (const candidate of path.includes("\0") ? [] : candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real === null || !roots.some((root) => isWithin(root, real))) continue;
    if ((await stat(real)).isDirectory()) return real;
  }
  throw invalidField(FIELD, "must be a folder below one of the source roots of this server (HOLDPOINT_SOURCE_ROOTS).");
}

/** Packs a folder. Throws INVALID_INPUT where it is gone, too large, or has a link that leaves it. */
export async function packDirectory(path: string, roots: readonly string[]): Promise<PackedSource> {
  const root = await resolveDirectory(path, roots);
  const entries = await list(root);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > LIMITS.sourceBytes) throw refused(`has ${size} bytes; at most ${LIMITS.sourceBytes} can be packed.`);
  const tar = pack();
  const pieces: Buffer[] = [];
  const compressed = pipeline(tar, createGzip({ level: 6 }), async (body: AsyncIterable<Buffer>) => {
    for await (const piece of body) pieces.push(piece);
  });
  for (const entry of entries) await add(tar, entry);
  tar.finalize();
  await compressed;
  const archive = Buffer.concat(pieces);
  return { digest: digestOf(archive), archive };
}

async function add(tar: ReturnType<typeof pack>, entry: Entry): Promise<void> {
  const header = { name: entry.name, mode: entry.executable ? 0o755 : 0o644, mtime: new Date(0), uid: 0, gid: 0 };
  if (entry.type === "symlink") {
    tar.entry({ ...header, type: "symlink", linkname: entry.target });
    return;
  }
  const body = await readFile(entry.path);
  await new Promise<void>((done, fail) => {
    tar.entry({ ...header, type: "file", size: body.length }, body, (error) => (error ? fail(error) : done()));
  });
}

/** All files and links below a folder, sorted by name. */
async function list(root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const name of (await readdir(folder)).toSorted()) {
      if (LEFT_OUT.has(name)) continue;
      const path = join(folder, name);
      const info = await lstat(path);
      if (info.isDirectory()) await walk(path);
      else if (info.isSymbolicLink()) entries.push(await link(root, path));
      else if (info.isFile()) {
        const executable = (info.mode & 0o100) !== 0;
        entries.push({ name: nameOf(root, path), path, type: "file", executable, target: "", size: info.size });
      } else throw refused(`holds ${nameOf(root, path)}, which is neither a file, a folder nor a link.`);
      if (entries.length > LIMITS.sourceFiles) throw refused(`has more than ${LIMITS.sourceFiles} files.`);
    }
  };
  await walk(root);
  return entries;
}

/** A link may only point to something inside of the folder, and must be relative to survive the move. */
async function link(root: string, path: string): Promise<Entry> {
  const text = await readlink(path);
  const real = await realpath(path).catch(() => null);
  const inside = isWithin(root, resolve(dirname(path), text)) && (real === null || isWithin(root, real));
  if (isAbsolute(text) || !inside) throw refused(`holds the link ${nameOf(root, path)}, which leaves the folder.`);
  return { name: nameOf(root, path), path, type: "symlink", executable: false, target: text, size: 0 };
}

function nameOf(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function refused(what: string): UserError {
  return invalidField(FIELD, what);
}
