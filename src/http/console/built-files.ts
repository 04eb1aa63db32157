import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file of the console, with the forms of it that were compressed when it was built. */
export interface BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Absent: this form is not there. */
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** The built console: its page, and the files that the page loads, by name. */
export interface BuiltFiles {
  readonly page: Buffer;
  readonly assets: ReadonlyMap<string, BuiltFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** Reads all built files into memory, about a megabyte: what is served is what was there at once. */
export async function readBuiltFiles(folder: string): Promise<BuiltFiles> {
  const assetFolder = join(folder, "assets");
  const names = await readdir(assetFolder);
  const bytesOf = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(assetFolder, name))] as const)),
  );
  const assets = new Map<string, BuiltFile>();
  for (const [name, bytes] of bytesOf) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const [br, gzip] = [bytesOf.get(`${name}.br`), bytesOf.get(`${name}.gz`)];
    assets.set(name, { type, bytes, ...(br !== undefined && { br }), ...(gzip !== undefined && { gzip }) });
  }
  return { page: await readFile(join(folder, "index.html")), assets };
}
