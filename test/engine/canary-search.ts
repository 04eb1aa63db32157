/** Looks for a text wherever a run can leave traces. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Client } from "pg";
import type { TestDatabase } from "../support/database.ts";

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** A text as it is, and in every form in which it is still the same secret. */
export function formsOf(secret: string): Buffer[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inGoJson = inJson.replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  const twice = JSON.stringify(inJson).slice(1, -1);
  const texts = [secret, inJson, inGoJson, twice, encodeURIComponent(secret), Buffer.from(secret).toString("hex")];
  return [...new Set([...texts, ...base64Of(secret)])].map((text) => Buffer.from(text));
}

/** In a longer text that is encoded a secret can begin at any of three places; only what is whole there is looked for. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString("base64");
    const whole = encoded.slice(shift === 0 ? 0 : 4).replace(/.?=+$|.$/, "");
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

export function holds(content: Buffer | string, forms: readonly Buffer[]): boolean {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return forms.some((form) => bytes.includes(form));
}

/** Where in the database: `table.column`, each once. */
export async function searchDatabase(database: TestDatabase, forms: readonly Buffer[]): Promise<string[]> {
  const client = new Client({ ...database.connection });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`select format('%I.%I', table_schema, table_name) as name
      from information_schema.tables where table_type = 'BASE TABLE'
        and table_schema not in ('pg_catalog', 'information_schema')`);
    const found = new Set<string>();
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${name}`);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (contentsOf(value).some((content) => holds(content, forms))) found.add(`${name}.${column}`);
        }
      }
    }
    return [...found].toSorted((a, b) => a.localeCompare(b));
  } finally {
    await client.end();
  }
}

/** A value of a column, and what is in it where it is compressed. */
function contentsOf(value: unknown): (Buffer | string)[] {
  if (value === null) return [];
  if (!Buffer.isBuffer(value)) return [typeof value === "string" ? value : JSON.stringify(value)];
  if (startsWith(value, ZSTD_MAGIC)) return [value, zstdDecompressSync(value)];
  // A piece of an archive need not hold its end.
  if (startsWith(value, GZIP_MAGIC)) return [value, gunzipSync(value, { finishFlush: constants.Z_SYNC_FLUSH })];
  return [value];
}

const startsWith = (value: Buffer, magic: Buffer): boolean => value.subarray(0, magic.length).equals(magic);

/** Which files below a folder, by content or name. */
export async function searchFolder(folder: string, forms: readonly Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readOrNull(path) : null;
    if (holds(path, forms) || (content !== null && holds(content, forms))) found.push(path);
  }
  return found;
}

/** Reads a file; `null` if it is gone: a runner removes the folders of its jobs meanwhile. */
async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** What must be in the database instead of a token: nothing can be made of it. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
