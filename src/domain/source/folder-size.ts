import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Bytes of all files below a folder; what goes away meanwhile counts as nothing. */
async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(path);
    else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

const LOOK_EVERY_MS = 100;

/** Looks at a folder again and again; true when it is larger, false when the signal aborts before that. */
export async function outgrows(folder: string, maxBytes: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if ((await folderSize(folder)) > maxBytes) return true;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  // What came after the last look counts too.
  return (await folderSize(folder)) > maxBytes;
}
