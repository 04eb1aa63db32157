import { createReadStream, constants } from "node:fs";
import { chown, lchown, lstat, mkdir, open, rm, symlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type ExtractEvents, type Header } from "tar-stream";
import type { RunnerLimits } from "../kit/runner-limits.ts";

type Entry = ExtractEvents["entry"][1];

/** The archive holds an entry that must not be unpacked. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused";
}

export type UnpackLimits = Pick<RunnerLimits, "unpackedBytes" | "unpackedEntries" | "unpackedNameBytes">;

export interface UnpackOptions {
  file: string;
  /** An existing folder. */
  into: string;
  /** Whether an entry of this name is expected. */
  accept?: (name: string) => boolean;
  /** Owner of the unpacked files; `null`: the runner's user. */
  uid: number | null;
  limits: UnpackLimits;
  signal: AbortSignal;
}

/**
 * Unpacks a tar.gz. Nothing is written outside of the folder: names are relative and stay below it, every parent is a
 * real folder, links are relative and their targets stay below it too. Anything else is an ArchiveRefused.
 */
export async function unpack(options: UnpackOptions): Promise<{ files: number }> {
  const entries = extract();
  const { file, limits, signal } = options;
  const inflated = (pieces: AsyncIterable<Buffer>) => bounded(pieces, limits);
  const reading = pipeline(createReadStream(file), createGunzip(), inflated, entries, { signal });
  reading.catch(() => undefined);
  const state = { files: 0, entries: 0, bytes: 0 };
  try {
    for await (const entry of entries) {
      countEntry(state, options);
      await unpackEntry(entry, options, state);
    }
    await reading;
  } catch (error) {
    entries.destroy();
    const why = await reading.then(
      () => error,
      (reason: unknown) => (reason instanceof ArchiveRefused ? reason : error),
    );
    signal.throwIfAborted();
    if (why instanceof ArchiveRefused) throw why;
    throw isFormatError(error) ? new ArchiveRefused("it is not a complete tar.gz", { cause: error }) : error;
  }
  return { files: state.files };
}

/** A header with its padding, and a name that is too long for one. */
const BYTES_AROUND_AN_ENTRY = 4096;

/** Bounds the inflated bytes. An archive of zeros or of headers alone grows without an entry to count. */
async function* bounded(
  pieces: AsyncIterable<Buffer>,
  { unpackedBytes, unpackedEntries }: UnpackLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > unpackedBytes + unpackedEntries * BYTES_AROUND_AN_ENTRY) throw tooLarge();
    yield piece;
  }
}

function tooLarge(): ArchiveRefused {
  return new ArchiveRefused("it is too large when it is unpacked");
}

/** Counts of what is unpacked so far. */
interface Unpacked {
  files: number;
  /** Includes parent folders that have no entry of their own. */
  entries: number;
  bytes: number;
}

function countEntry(state: Unpacked, { limits }: UnpackOptions): void {
  state.entries += 1;
  if (state.entries > limits.unpackedEntries) throw new ArchiveRefused("it has too many entries");
}

async function unpackEntry(entry: Entry, options: UnpackOptions, state: Unpacked): Promise<void> {
  const { header } = entry;
  const name = safeName(header.name, options.limits.unpackedNameBytes);
  if (options.accept?.(name) === false) throw new ArchiveRefused(`"${name}" does not belong in it`);
  const path = join(options.into, name);
  if (name !== ".") await makeParents(options, name, state);
  switch (header.type) {
    case "directory":
      await makeFolder(path, options.uid);
      break;
    case "symlink":
      await replace(path);
      await symlink(safeTarget(name, header), path);
      if (options.uid !== null) await lchown(path, options.uid, options.uid);
      break;
    case "file":
    case "contiguous-file":
      await replace(path);
      await writeEntry(entry, path, options, state);
      state.files += 1;
      return;
    case "link":
    case "block-device":
    case "character-device":
    case "fifo":
    default:
      throw new ArchiveRefused(`"${header.name}" is a ${header.type}`);
  }
  entry.resume();
}

async function writeEntry(entry: Entry, path: string, options: UnpackOptions, state: { bytes: number }): Promise<void> {
  const mode = (entry.header.mode & 0o111) === 0 ? 0o644 : 0o755;
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  try {
    for await (const chunk of entry) {
      if (!(chunk instanceof Uint8Array)) continue;
      state.bytes += chunk.length;
      if (state.bytes > options.limits.unpackedBytes) throw tooLarge();
      await file.writeFile(chunk);
    }
    await file.utimes(entry.header.mtime, entry.header.mtime);
    if (options.uid !== null) await file.chown(options.uid, options.uid);
  } finally {
    await file.close();
  }
}

/** A part of a path that a file system takes, in bytes. */
const PART_BYTES = 255;

function safeName(name: string, mostBytes: number): string {
  const parts = name.split("/");
  if (Buffer.byteLength(name) > mostBytes || parts.some((part) => Buffer.byteLength(part) > PART_BYTES)) {
    throw new ArchiveRefused(`"${name.slice(0, 100)}…" is too long`);
  }
  if (name.startsWith("/") || parts.includes("..") || /[\0\\]/.test(name)) {
    throw new ArchiveRefused(`"${name}" leaves the folder`);
  }
  return parts.filter((part) => part !== "" && part !== ".").join("/") || ".";
}

/**
 * Gives the target of a link with every `..` at its beginning. The link's own parents are real folders, so the dots lead
 * to their parents. The rest of the target passes only links that were checked in the same way.
 */
function safeTarget(name: string, header: Header): string {
  // A header without a target gives null, against its type.
  const target: string = Object.is(header.linkname, null) ? "" : header.linkname;
  const resolved = posix.normalize(posix.join(posix.dirname(name), target));
  if (
    target === "" ||
    target.startsWith("/") ||
    target.includes("\0") ||
    resolved === ".." ||
    resolved.startsWith("../")
  ) {
    throw new ArchiveRefused(`the link "${name}" leaves the folder`);
  }
  return posix.relative(posix.dirname(name), resolved) || ".";
}

async function makeParents(options: UnpackOptions, name: string, state: Unpacked): Promise<void> {
  const { into, uid } = options;
  const parents: string[] = [];
  for (let parent = dirname(name); parent !== "."; parent = dirname(parent)) parents.unshift(parent);
  for (const parent of parents) {
    if (await makeFolder(join(into, parent), uid)) countEntry(state, options);
  }
}

/** Gives whether the folder was missing. */
async function makeFolder(path: string, uid: number | null): Promise<boolean> {
  const existing = await lstat(path).catch(() => undefined);
  if (existing?.isDirectory()) return false;
  if (existing !== undefined) throw new ArchiveRefused("an entry lies below something that is not a folder");
  await mkdir(path, { mode: 0o755 });
  if (uid !== null) await chown(path, uid, uid);
  return true;
}

/** A later entry of the same name wins, and never writes through a link. */
async function replace(path: string): Promise<void> {
  const existing = await lstat(path).catch(() => undefined);
  if (existing === undefined) return;
  if (existing.isDirectory()) throw new ArchiveRefused("a file has the name of a folder");
  await rm(path);
}

function isFormatError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ArchiveRefused) return false;
  const code = "code" in error ? String(error.code) : "";
  return code.startsWith("Z_") || code === "" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
