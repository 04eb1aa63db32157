import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BackupError, type BackupPart, readBackup, writeBackup } from "../../../src/persistence/backup/format.ts";

const MAGIC = "HOLDPOINT BACKUP 1\n";
const PARTS: BackupPart[] = [
  { type: "header", header: { createdAt: "2026-01-01T00:00:00.000Z", migrations: ["0001_initial"], secrets: null } },
  { type: "table", table: { name: "actor", columns: ["id text", "name text"] } },
  { type: "rows", rows: ["(a,anna)", "(b,bo)"] },
];
/** Bytes of the last frame: its kind, its length, and a digest of 256 bits. */
const END_BYTES = 1 + 4 + 32;

let folder: string;
/** A backup as it is written, and its frames as they are before they are compressed. */
let whole: Buffer;
let plain: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-format-"));
  const path = join(folder, "whole");
  await writeBackup(path, each(PARTS));
  whole = await readFile(path);
  plain = zstdDecompressSync(whole.subarray(MAGIC.length));
});
afterAll(() => rm(folder, { recursive: true }));

async function* each(parts: readonly BackupPart[]): AsyncGenerator<BackupPart> {
  yield* parts;
}

async function read(file: Buffer): Promise<BackupPart[]> {
  const path = join(folder, "read");
  await writeFile(path, file);
  return Array.fromAsync(readBackup(path));
}

const readFrames = (...frames: Buffer[]): Promise<BackupPart[]> =>
  read(Buffer.concat([Buffer.from(MAGIC), zstdCompressSync(Buffer.concat(frames))]));

describe("a backup", () => {
  it("gives back its parts in order, and only its owner may read the file", async () => {
    expect(await read(whole)).toEqual(PARTS);
    expect(await readFrames(plain)).toEqual(PARTS);
    expect((await stat(join(folder, "whole"))).mode & 0o777).toBe(0o600);
  });

  it("is not written over a file", async () => {
    await expect(writeBackup(join(folder, "whole"), each(PARTS))).rejects.toThrow("EEXIST");
    expect(await readFile(join(folder, "whole"))).toEqual(whole);
  });

  it("is damaged where anything follows its end", async () => {
    const end = plain.subarray(-END_BYTES);
    const frame = plain.subarray(0, 5 + plain.readUInt32BE(1));
    for (const bytes of [frame, end, plain]) {
      await expect(readFrames(plain, bytes)).rejects.toThrow("damaged (something follows its end)");
    }
    for (const bytes of [frame.subarray(0, 1), frame.subarray(0, -1)]) {
      await expect(readFrames(plain, bytes)).rejects.toThrow("damaged (it ends too early)");
    }
  });

  it("is damaged where it ends early", async () => {
    for (let length = 0; length < plain.length; length += 1) {
      await expect(readFrames(plain.subarray(0, length)), `${length} bytes`).rejects.toThrow("it ends too early");
    }
  });

  it("is damaged where a byte is another", async () => {
    for (let place = 0; place < plain.length; place += 1) {
      const changed = Buffer.from(plain);
      changed.writeUInt8(changed.readUInt8(place) ^ 0x01, place);
      await expect(readFrames(changed), `byte ${place}`).rejects.toBeInstanceOf(BackupError);
    }
  });

  it("is none where the first line is another one", async () => {
    const rest = whole.subarray(MAGIC.length);
    const file = (line: string): Buffer => Buffer.concat([Buffer.from(line), rest]);
    await expect(read(file("HOLDPOINT BACKUP 2\n"))).rejects.toThrow("made by a later version of Holdpoint");
    for (const line of ["", "HOLDPOINT", "holdpoint backup 1\n", "HOLDPOINT BACKUX 1\n"]) {
      await expect(read(file(line)), line).rejects.toThrow("is not a backup of Holdpoint");
    }
  });
});
