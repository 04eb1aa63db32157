import { chmod, chown, lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findText, writeDurably } from "../../os/durable-file.ts";
import { type ChildUser, canEnter } from "./child-user.ts";
import { EmbeddedPostgresError } from "./error.ts";

/**
 * A socket's whole name ends at 108 bytes (Linux) or 104 (macOS); 15 of them are "/.s.PGSQL.5432", and 4 remain.
 */
const SOCKET_FOLDER_LIMIT = 85;

/** unix_socket_directories is a list with quoting rules of its own; other characters are not worth the risk. */
const PLAIN_PATH = /^[\w./+@-]+$/;

const SOCKET_FOLDER_NOTE = "postgres-socket-folder";

/** Where the parts of the embedded Postgres lie. */
export interface PostgresFolders {
  readonly pgData: string;
  readonly passwordFile: string;
  readonly logFile: string;
}

/** The fixed names below the data folder. */
export function postgresFolders(dataDir: string): PostgresFolders {
  return {
    pgData: join(dataDir, "postgres"),
    passwordFile: join(dataDir, "postgres-password"),
    logFile: join(dataDir, "postgres.log"),
  };
}

/** A folder of mode 700 that belongs to `user`, for the socket. */
export interface SocketFolder {
  readonly path: string;
  /** Lies outside the data folder, and is to be removed when the server has stopped. */
  readonly isTemporary: boolean;
}

/**
 * The folder for the socket: in the data folder when that is near enough and `user` can enter it, else a short private
 * one among the temporary files, whose name the data folder notes, so that a killed server's one is used again.
 */
export async function openSocketFolder(dataDir: string, user: ChildUser | undefined): Promise<SocketFolder> {
  const inside = join(dataDir, "postgres-socket");
  if (isShortAndPlain(inside) && (await canEnter(dataDir, user))) {
    await mkdir(inside, { recursive: true });
    await own(inside, user);
    return { path: inside, isTemporary: false };
  }
  const note = join(dataDir, SOCKET_FOLDER_NOTE);
  const noted = (await findText(note))?.trim();
  if (noted !== undefined && (await isPrivate(noted, user))) return { path: noted, isTemporary: true };
  const path = await makeTemporary(user);
  await writeDurably(note, `${path}\n`);
  return { path, isTemporary: true };
}

/** The folder in which a running server has its socket of this name; null where there is none. */
export async function findSocketFolder(dataDir: string, socket: string): Promise<string | null> {
  const noted = (await findText(join(dataDir, SOCKET_FOLDER_NOTE)))?.trim();
  for (const folder of [join(dataDir, "postgres-socket"), noted]) {
    if (folder === undefined) continue;
    const facts = await lstat(join(folder, socket)).catch(() => undefined);
    if (facts?.isSocket() === true) return folder;
  }
  return null;
}

/** Removes a temporary socket folder; nothing is lost with it. */
export async function closeSocketFolder(folder: SocketFolder): Promise<void> {
  if (folder.isTemporary) await rm(folder.path, { recursive: true, force: true });
}

/** Gives a folder or file to `user` alone. */
export async function own(path: string, user: ChildUser | undefined, mode = 0o700): Promise<void> {
  if (user !== undefined) await chown(path, user.uid, user.gid);
  await chmod(path, mode);
}

async function makeTemporary(user: ChildUser | undefined): Promise<string> {
  for (const parent of [tmpdir(), "/tmp", "/var/tmp"]) {
    const facts = await lstat(parent).catch(() => undefined);
    if (facts === undefined || !isShortAndPlain(join(parent, "holdpoint-XXXXXX"))) continue;
    if (!(await canEnter(parent, user))) continue;
    const path = await mkdtemp(join(parent, "holdpoint-"));
    await own(path, user);
    return path;
  }
  throw new EmbeddedPostgresError("No folder with a short enough path for Postgres' socket; set TMPDIR to one.");
}

async function isPrivate(path: string, user: ChildUser | undefined): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  const owner = user?.uid ?? process.getuid?.();
  return facts?.isDirectory() === true && facts.uid === owner && (facts.mode & 0o777) === 0o700;
}

function isShortAndPlain(path: string): boolean {
  return Buffer.byteLength(path) <= SOCKET_FOLDER_LIMIT && PLAIN_PATH.test(path);
}
