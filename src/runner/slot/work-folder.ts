import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PASSABLE = 0o711;
const EVERYBODY_MAY_PASS = 0o001;
const OTHERS_MAY_WRITE = 0o022;

/** Where the runner works. */
export interface WorkFolder {
  path: string;
  /** The folder above the one that was asked for that the engine's user cannot pass; null where all is well. */
  blockedBy: string | null;
}

/**
 * A work folder that the engine's user can reach: the one that is asked for or, where that lies below a folder that only
 * root can enter, one among the temporary files. Its name comes from the other's, so that the next runner finds what
 * this one leaves. `/var/tmp` comes first because it outlives a restart of the machine, and with it a state that could
 * not be delivered.
 */
export async function reachableWorkFolder(
  asked: string,
  engineUid: number | null,
  others: readonly string[] = ["/var/tmp", tmpdir(), "/tmp"],
): Promise<WorkFolder> {
  await mkdir(asked, { recursive: true, mode: 0o700 });
  const blockedBy = engineUid === null ? null : await findImpassable(dirname(await realpath(asked)));
  if (blockedBy === null) return { path: asked, blockedBy };
  const name = `holdpoint-runner-${createHash("sha256").update(asked).digest("hex").slice(0, 12)}`;
  for (const parent of others) {
    const real = await realpath(parent).catch(() => null);
    if (real === null || (await findImpassable(real)) !== null) continue;
    const path = join(real, name);
    await mkdir(path, { mode: PASSABLE }).catch(ignoreExisting);
    await requireOwnFolder(path);
    await chmod(path, PASSABLE);
    return { path, blockedBy };
  }
  throw new Error(
    `The engine's user (uid ${engineUid}) cannot pass ${blockedBy}. Set HOLDPOINT_DATA_DIR to a folder whose parents can ` +
      "be entered by everybody (chmod o+x).",
  );
}

/** The nearest folder, this one or above, that others than its owner cannot pass. */
async function findImpassable(folder: string): Promise<string | null> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & EVERYBODY_MAY_PASS) === 0) return path;
    if (path === dirname(path)) return null;
  }
}

/** Everybody may make folders among the temporary files: states and plans go only into one of our own. */
async function requireOwnFolder(path: string): Promise<void> {
  const facts = await lstat(path);
  if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & OTHERS_MAY_WRITE) === 0) return;
  throw new Error(`${path} was not made by Holdpoint. Remove it and start again.`);
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
