/**
 * The file of a backup: a line that names the format, then one stream of zstd. It consists of frames, each with its kind
 * and length before it; the last one is the digest of all that came before, so that a file that was cut off or damaged
 * anywhere is known as such. Nothing is signed: a person who can replace the file can replace the digest.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { z } from "zod";

const MAGIC = Buffer.from("HOLDPOINT BACKUP 1\n");
const MODE = 0o600;
/** Kind (1 byte) and length (4 bytes). */
const HEAD_BYTES = 5;
/** A row is at most a piece of a blob or a change of a resource, in hexadecimal or escaped. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024;

const headerSchema = z.object({
  createdAt: z.string(),
  /** Names of the migrations that the database had seen, in order. */
  migrations: z.array(z.string()).min(1),
  /** Null where the backup was made without it. */
  secrets: z.object({ masterKey: z.string().regex(/^[0-9a-f]{64}$/), adminToken: z.string().nullable() }).nullable(),
});
const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) });
const rowsSchema = z.array(z.string());

/** The first frame of a backup. */
export type BackupHeader = z.output<typeof headerSchema>;
/** The rows that follow are of this table. */
export type BackupTable = z.output<typeof tableSchema>;

/** A part of a backup. Rows are Postgres' own text of a row. */
export type BackupPart =
  | { type: "header"; header: BackupHeader }
  | { type: "table"; table: BackupTable }
  | { type: "rows"; rows: string[] };

const KINDS = { header: 0x48, table: 0x54, rows: 0x52, end: 0x45 } as const;

/** The file is no backup, or not as it was written. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Writes the parts into a new file that other users cannot read, and onto the disk. Throws if the file exists. */
export async function writeBackup(path: string, parts: AsyncIterable<BackupPart>): Promise<void> {
  const file = await open(path, "wx", MODE);
  try {
    await file.write(MAGIC);
    await pipeline(Readable.from(frames(parts), { objectMode: false }), createZstdCompress(), async (pieces) => {
      for await (const piece of pieces) await file.writeFile(piece);
    });
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* frames(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  const digest = createHash("sha256");
  for await (const part of parts) {
    const bytes = frame(KINDS[part.type], Buffer.from(JSON.stringify(bodyOf(part))));
    digest.update(bytes);
    yield bytes;
  }
  yield frame(KINDS.end, digest.digest());
}

function bodyOf(part: BackupPart): unknown {
  switch (part.type) {
    case "header":
      return part.header;
    case "table":
      return part.table;
    case "rows":
      return part.rows;
  }
}

function frame(kind: number, body: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/**
 * The parts of a backup in order. The digest comes last: what was read is good only when the iterator has ended.
 *
 * @throws BackupError where the file is no backup, of a later format, damaged or cut off.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  await checkMagic(path);
  const digest = createHash("sha256");
  let ended = false;
  try {
    for await (const { kind, bytes, body } of splitFrames(path)) {
      if (ended) throw damaged("something follows its end");
      if (kind === KINDS.end) {
        ended = true;
        if (!digest.digest().equals(body)) throw damaged("its digest does not fit");
        continue;
      }
      digest.update(bytes);
      yield parsePart(kind, body);
    }
  } catch (error) {
    // zstd's own complaints, JSON's, and those of the shapes.
    throw error instanceof BackupError ? error : damaged(error instanceof Error ? error.message : String(error));
  }
  if (!ended) throw damaged("it ends too early");
}

function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged (${reason}). Nothing of it was used.`);
}

async function checkMagic(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    if (buffer.equals(MAGIC)) return;
    if (buffer.subarray(0, -2).equals(MAGIC.subarray(0, -2))) {
      throw new BackupError("The backup was made by a later version of Holdpoint; restore it with that one.");
    }
    throw new BackupError(`${path} is not a backup of Holdpoint.`);
  } finally {
    await file.close();
  }
}

interface Frame {
  kind: number;
  bytes: Buffer;
  body: Buffer;
}

async function* splitFrames(path: string): AsyncGenerator<Frame> {
  const source = createReadStream(path, { start: MAGIC.length });
  const plain = createZstdDecompress();
  const pumping = pipeline(source, plain);
  // Rejects again below, where it is waited for.
  pumping.catch(() => undefined);
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = HEAD_BYTES;
  for await (const piece of plain) {
    if (!Buffer.isBuffer(piece)) continue;
    pieces.push(piece);
    held += piece.length;
    while (held >= wanted) {
      const all = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
      const length = HEAD_BYTES + all.readUInt32BE(1);
      if (length > MAX_FRAME_BYTES) throw damaged("a part is too long");
      pieces = [all];
      wanted = length;
      if (held < length) break;
      yield { kind: all.readUInt8(0), bytes: all.subarray(0, length), body: all.subarray(HEAD_BYTES, length) };
      pieces = [all.subarray(length)];
      held -= length;
      wanted = HEAD_BYTES;
    }
  }
  await pumping;
  if (held > 0) throw damaged("it ends too early");
}

function parsePart(kind: number, body: Buffer): BackupPart {
  const value: unknown = JSON.parse(body.toString());
  if (kind === KINDS.header) return { type: "header", header: headerSchema.parse(value) };
  if (kind === KINDS.table) return { type: "table", table: tableSchema.parse(value) };
  if (kind === KINDS.rows) return { type: "rows", rows: rowsSchema.parse(value) };
  throw damaged("a part is of no known kind");
}
