import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const SECRET_MODE = 0o600;

/**
 * Replaces a file as a whole: after a crash there is either the old content or the new one, never a part. The content
 * is on disk when the promise is fulfilled.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = SECRET_MODE): Promise<void> {
  const temporary = await writeBeside(path, content, mode);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Writes the content, flushed to disk, to a new file in the folder of `path` and returns that file's name. */
export async function writeBeside(path: string, content: string | Uint8Array, mode = SECRET_MODE): Promise<string> {
  const temporary = join(dirname(path), `.${randomBytes(9).toString("base64url")}.tmp`);
  const file = await open(temporary, "wx", mode);
  try {
    await file.writeFile(content);
    await file.chmod(mode);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Makes names that were created, renamed or removed in this folder survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The file's text; undefined when there is no such file. */
export async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether an error of the operating system has this code ("ENOENT", "EEXIST", ...). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
