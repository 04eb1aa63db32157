import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PASSABLE = 0o711;
const EVERYBODY_MAY_PASS = 0o001;
const OTHERS_MAY_WRITE = 0o022;

/** Bytes of the path of a Unix socket, without the zero at its end. */
const SOCKET_PATH_BYTES = process.platform === "darwin" ? 103 : 107;
/** A provider listens on such a socket in the temporary folder of its job. */
const LONGEST_SOCKET = `/jobs/job_${"0".repeat(26)}/tmp/plugin4294967295`;

/** The bytes that the path of a work folder may have: with more, no provider but those of the engine itself can start. */
export const WORK_FOLDER_BYTES = SOCKET_PATH_BYTES - LONGEST_SOCKET.length;

/** The folder in which the runner works. */
export interface WorkFolder {
  path: string;
  /** The parent of the configured folder that the engine's user cannot pass; `null` if it can pass all. */
  blockedBy: string | null;
}

/**
 * Finds a work folder that the engine's user can reach: the configured one or, if a parent of it is closed, one below a
 * folder of temporary files. Its name comes from the configured path, so that the next runner finds it. `/var/tmp` comes
 * first, because an undelivered state in it survives a restart of the machine.
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
      "be entered by all users (chmod o+x).",
  );
}

/** Finds the nearest folder, this one or above, that only its owner can pass. */
async function findImpassable(folder: string): Promise<string | null> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & EVERYBODY_MAY_PASS) === 0) return path;
    if (path === dirname(path)) return null;
  }
}

/** Checks the owner of a temporary folder, because all users may make one. States and plans need a private one. */
async function requireOwnFolder(path: string): Promise<void> {
  const facts = await lstat(path);
  if (facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & OTHERS_MAY_WRITE) === 0) return;
  throw new Error(
    `${path} was not made by this user, or others may write to it. Remove it and start the runner again.`,
  );
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
