import { gunzipSync, gzipSync } from "node:zlib";
import { extract, type Header, pack } from "tar-stream";

export interface TarEntry {
  name: string;
  type: string | null | undefined;
  mode: number | undefined;
  body: string;
  linkname: string | null | undefined;
}

/** Everything in a tar.gz, in its order. */
export async function unpacked(archive: Buffer): Promise<TarEntry[]> {
  const entries = extract();
  entries.end(gunzipSync(archive));
  const found: TarEntry[] = [];
  for await (const entry of entries) {
    const pieces: Buffer[] = [];
    for await (const piece of entry) if (Buffer.isBuffer(piece)) pieces.push(piece);
    const { name, type, mode, linkname } = entry.header;
    found.push({ name, type, mode, body: Buffer.concat(pieces).toString(), linkname });
  }
  return found;
}

/** A tar.gz of these, in this order and unchecked; a header alone is a file of no content. */
export async function packed(
  entries: readonly (Partial<Header> & { name: string } & { body?: string | Buffer })[],
): Promise<Buffer> {
  const tar = pack();
  for (const { body = "", ...header } of entries) tar.entry(header, body);
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar) if (Buffer.isBuffer(piece)) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}
