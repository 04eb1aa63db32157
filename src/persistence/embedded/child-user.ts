import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The user under which Postgres runs; undefined means: the one that runs Holdpoint. */
export interface ChildUser {
  readonly uid: number;
  readonly gid: number;
}

/** The account without rights that each Unix has. */
const UNPRIVILEGED_NAME = "nobody";
const UNPRIVILEGED: ChildUser = { uid: 65_534, gid: 65_534 };

/**
 * Postgres refuses to run as root. There it runs as the owner of the database that is found, else as the unprivileged
 * user of the system: initdb needs a uid that has a name.
 *
 * @param uid that of this process; undefined where the platform has none
 * @param pgData the database's folder, which need not exist
 */
export async function childUserFor(uid: number | undefined, pgData: string): Promise<ChildUser | undefined> {
  if (uid !== 0) return undefined;
  const facts = await stat(pgData).catch(() => undefined);
  if (facts !== undefined && facts.uid !== 0) return { uid: facts.uid, gid: facts.gid };
  return await unprivilegedUser();
}

/** Whether this user can pass through every folder from the root down to this one, inclusive. */
export async function canEnter(path: string, user: ChildUser | undefined): Promise<boolean> {
  if (user === undefined) return true;
  let folder = await realpath(path);
  for (;;) {
    if (!(await grants(folder, user, 0o1))) return false;
    const parent = dirname(folder);
    if (parent === folder) return true;
    folder = parent;
  }
}

/** Whether the mode bits give this user all of `bits` (4 read, 2 write, 1 execute or enter) on the path itself. */
export async function grants(path: string, user: ChildUser, bits: number): Promise<boolean> {
  const facts = await stat(path);
  const shift = facts.uid === user.uid ? 6 : facts.gid === user.gid ? 3 : 0;
  return ((facts.mode >> shift) & bits) === bits;
}

async function unprivilegedUser(): Promise<ChildUser> {
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const line of passwd.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    // macOS writes -2 here, which is not what setuid wants.
    if (name === UNPRIVILEGED_NAME && Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return UNPRIVILEGED;
}
