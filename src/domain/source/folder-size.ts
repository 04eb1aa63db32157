import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Returns the size of all files in a folder; files that disappear meanwhile count as zero. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(path);
    else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

const CHECK_EVERY_MS = 100;

/**
 * Watches the size of a folder. Resolves to `true` once it exceeds `maxBytes`, or `false` if the signal aborts first.
 */
export async function outgrows(folder: string, maxBytes: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if ((await folderSize(folder)) > maxBytes) return true;
    await pause(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  // Includes growth since the last check.
  return (await folderSize(folder)) > maxBytes;
}
