/** Reads an uploaded tar.gz as untrusted input: in memory, within limits, writing nothing. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type ExtractEvents } from "tar-stream";
import { LIMITS } from "../../model/kit/limits.ts";
import { arrange, safeName, type SourceEntry, SourceRefused } from "./source-entry.ts";

type Entry = ExtractEvents["entry"][1];

/** The size of a header with padding, and of a name that is too long for one. */
const BYTES_AROUND_A_FILE = 4096;

/** Reads the entries of an archive. Throws SourceRefused if it is not a complete tar.gz, or cannot be packed. */
export async function readArchive(body: Buffer): Promise<SourceEntry[]> {
  const entries = extract();
  const inflated = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* bounded(pieces, body.length);
  };
  const reading = pipeline(Readable.from([body]), createGunzip(), inflated, entries);
  reading.catch(() => undefined);
  const found: SourceEntry[] = [];
  const state = { bytes: 0, count: 0 };
  try {
    for await (const entry of entries) {
      state.count += 1;
      if (state.count > LIMITS.sourceFiles) throw new SourceRefused(`has more than ${LIMITS.sourceFiles} files.`);
      const read = await readEntry(entry, state);
      if (read !== null) found.push(read);
    }
    await reading;
  } catch (error) {
    entries.destroy();
    const cause = await reading.then(
      () => error,
      (reason: unknown) => (reason instanceof SourceRefused ? reason : error),
    );
    throw cause instanceof SourceRefused ? cause : new SourceRefused("is not a whole tar.gz.");
  }
  const arranged = arrange(found);
  if (arranged.length === 0) throw new SourceRefused("has no files.");
  return arranged;
}

/** Limits the decompressed size before memory is used. */
async function* bounded(pieces: AsyncIterable<Buffer>, archiveBytes: number): AsyncGenerator<Buffer> {
  const most = LIMITS.sourceBytes + LIMITS.sourceFiles * BYTES_AROUND_A_FILE;
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw tooLarge();
    if (bytes > LIMITS.sourceRatioFromBytes && bytes > archiveBytes * LIMITS.sourceRatio) {
      throw new SourceRefused(`is more than ${LIMITS.sourceRatio} times as large once it is unpacked.`);
    }
    yield piece;
  }
}

function tooLarge(): SourceRefused {
  return new SourceRefused(`has more than the ${LIMITS.sourceBytes} bytes that a source may have.`);
}

/** Reads one entry; `null` for a folder, which exists through its files. */
async function readEntry(entry: Entry, state: { bytes: number }): Promise<SourceEntry | null> {
  const { type, mode, linkname } = entry.header;
  const name = safeName(entry.header.name);
  const executable = (mode & 0o111) !== 0;
  switch (type) {
    case "directory":
      entry.resume();
      return null;
    case "symlink":
      entry.resume();
      // A link without a target is refused, for any type.
      return {
        name: named(name),
        executable: false,
        target: Object.is(linkname, null) ? "" : linkname,
        read: () => Promise.resolve(Buffer.alloc(0)),
      };
    case "file":
    case "contiguous-file": {
      const body = await readContent(entry, state);
      return { name: named(name), executable, target: null, read: () => Promise.resolve(body) };
    }
    case "link":
    case "block-device":
    case "character-device":
    case "fifo":
    default:
      throw new SourceRefused(`holds ${JSON.stringify(name)}, which is neither a file, a folder nor a symbolic link.`);
  }
}

async function readContent(entry: Entry, state: { bytes: number }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of entry) {
    if (!(piece instanceof Uint8Array)) continue;
    state.bytes += piece.length;
    if (state.bytes > LIMITS.sourceBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function named(name: string): string {
  if (name === "") throw new SourceRefused("holds a file without a name.");
  return name;
}
