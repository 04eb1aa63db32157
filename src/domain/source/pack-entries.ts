import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { digestOf } from "../../persistence/blob/blob-store.ts";
import type { PackedSource } from "../kit/git-fetcher.ts";
import type { SourceEntry } from "./source-entry.ts";

/**
 * Packs entries as tar.gz. Only names, content, links and the executable bit are included, so that equal entries give
 * equal bytes.
 */
export async function packEntries(entries: readonly SourceEntry[]): Promise<PackedSource> {
  const tar = pack();
  const pieces: Buffer[] = [];
  const compressed = pipeline(tar, createGzip({ level: 6 }), async (body: AsyncIterable<Buffer>) => {
    for await (const piece of body) pieces.push(piece);
  });
  const adding = addAll(tar, entries);
  adding.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  await Promise.all([adding, compressed]);
  const archive = Buffer.concat(pieces);
  return { digest: digestOf(archive), archive };
}

async function addAll(tar: ReturnType<typeof pack>, entries: readonly SourceEntry[]): Promise<void> {
  for (const entry of entries) await add(tar, entry);
  tar.finalize();
}

async function add(tar: ReturnType<typeof pack>, { name, executable, target, read }: SourceEntry): Promise<void> {
  const header = { name, mode: executable ? 0o755 : 0o644, mtime: new Date(0), uid: 0, gid: 0 };
  if (target !== null) {
    tar.entry({ ...header, type: "symlink", linkname: target });
    return;
  }
  const body = await read();
  await new Promise<void>((done, fail) => {
    tar.entry({ ...header, type: "file", size: body.length }, body, (error) => (error ? fail(error) : done()));
  });
}
