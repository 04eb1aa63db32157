import { link, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { findText, hasCode, syncFolder, writeBeside } from "../os/durable-file.ts";
import { isSameProcess, type ProcessIdentity } from "../os/process-identity.ts";

const claimSchema = z.object({
  pid: z.int(),
  startedAt: z.string(),
  /** Distinguishes two claims of one process, and names the file that a successor has to create first. */
  nonce: z.string().regex(/^[\w-]+$/),
  url: z.string().optional(),
});

/** The content of `server.json` in the data folder: the Holdpoint that uses the folder. */
export type ServerClaim = z.output<typeof claimSchema>;

const FILE = "server.json";
const CHAIN_PREFIX = `${FILE}.after-`;

/** More rounds mean that the folder behaves like no known file system. */
const MAX_ROUNDS = 100;

/** A live Holdpoint uses the data folder. */
export class AlreadyRunningError extends Error {
  override readonly name = "AlreadyRunningError";
  readonly dir: string;
  readonly pid: number;

  constructor(dir: string, pid: number) {
    super(
      `Holdpoint is already running on the data folder ${dir} (process ${pid}). ` +
        `Stop it first, or set HOLDPOINT_DATA_DIR to another folder.`,
    );
    this.dir = dir;
    this.pid = pid;
  }
}

/**
 * Makes `identity` the owner of the folder; of any number of simultaneous attempts exactly one succeeds.
 *
 * A claim is made by link(2), which never replaces a file. The claim of a dead process is taken over in two steps,
 * because "read, see that it is dead, replace" by two processes would let the second replace the first one's fresh
 * claim. The process that creates `server.json.after-<nonce of the dead claim>` may replace that claim and no other. When
 * that process dies between the steps, its own nonce continues the chain.
 *
 * @throws AlreadyRunningError when the owner, or a process that is taking over right now, is alive.
 */
export async function claimFolder(dir: string, identity: ProcessIdentity, nonce: string): Promise<ServerClaim> {
  const own: ServerClaim = { pid: identity.pid, startedAt: identity.startedAt, nonce };
  const path = join(dir, FILE);
  const temporary = await writeBeside(path, serialize(own));
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if ((await linkNew(temporary, path)) || (await takeOver(dir, temporary))) {
        await removeChains(dir);
        return own;
      }
    }
    throw new Error(
      `Cannot claim the data folder ${dir}: its ${FILE} changes all the time. Is it on a shared file system?`,
    );
  } finally {
    await rm(temporary, { force: true });
    await syncFolder(dir);
  }
}

/** Finds the claim of a running Holdpoint; undefined if there is none. Claims nothing. */
export async function findLiveClaim(dir: string): Promise<ServerClaim | undefined> {
  const claim = await readClaim(join(dir, FILE));
  return claim !== undefined && isSameProcess(claim) ? claim : undefined;
}

/** Rewrites one's own claim, for example with the address that the server listens on. */
export async function updateClaim(dir: string, claim: ServerClaim): Promise<void> {
  const path = join(dir, FILE);
  await rename(await writeBeside(path, serialize(claim)), path);
}

/** Removes the own claim; does nothing if the folder has another owner by now. */
export async function releaseClaim(dir: string, nonce: string): Promise<void> {
  const path = join(dir, FILE);
  if ((await readClaim(path))?.nonce === nonce) await rm(path, { force: true });
}

/** Attempts to replace a dead claim; false if the claims have changed and must be read again. */
async function takeOver(dir: string, temporary: string): Promise<boolean> {
  const path = join(dir, FILE);
  const first = await readClaim(path);
  if (first === undefined) return false;
  for (let dead: ServerClaim | undefined = first; dead !== undefined; ) {
    if (isSameProcess(dead)) throw new AlreadyRunningError(dir, dead.pid);
    const next: string = join(dir, `${CHAIN_PREFIX}${dead.nonce}`);
    if (!(await linkNew(temporary, next))) {
      dead = await readClaim(next);
      continue;
    }
    // Another takeover may have ended, and removed its chain, since `first` was read: then this link means nothing.
    const isStillFirst = (await readClaim(path))?.nonce === first.nonce;
    // The link made for the chain is the one that moves, so that the caller's temporary file stays its own to remove.
    if (isStillFirst) await rename(next, path);
    else await rm(next, { force: true });
    return isStillFirst;
  }
  return false;
}

/** Removes the links of killed attempts. While the owner lives, its own claim has no chain. */
async function removeChains(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(CHAIN_PREFIX));
  await Promise.all(names.map((name) => rm(join(dir, name), { force: true })));
}

async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Reads a claim. One that cannot be parsed was never made by link(2), and counts as that of a dead process. */
async function readClaim(path: string): Promise<ServerClaim | undefined> {
  const text = await findText(path);
  if (text === undefined) return undefined;
  try {
    return claimSchema.parse(JSON.parse(text));
  } catch {
    return { pid: 0, startedAt: "", nonce: "unreadable" };
  }
}

function serialize(claim: ServerClaim): string {
  return `${JSON.stringify(claim, null, 2)}\n`;
}
