import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reachableWorkFolder, WORK_FOLDER_BYTES } from "../../../src/runner/slot/work-folder.ts";

const UID = 65_533;

let folder: string;
let closed: string;
let open: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-places-")));
  await chmod(folder, 0o711);
  closed = join(folder, "closed");
  open = join(folder, "open");
  await mkdir(closed, { mode: 0o700 });
  await mkdir(open, { mode: 0o711 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the runner's work folder", () => {
  it("is the one that is asked for where the engine's user can reach it, or is the runner's own", async () => {
    const asked = join(open, "data", "runner");
    await mkdir(join(open, "data"), { mode: 0o711 });
    expect(await reachableWorkFolder(asked, UID, [])).toEqual({ path: asked, blockedBy: null });
    const own = join(closed, "runner");
    expect(await reachableWorkFolder(own, null, [])).toEqual({ path: own, blockedBy: null });
  });

  it("is else one that can be reached, the same one every time, and another for another data folder", async () => {
    const asked = join(closed, "data", "runner");
    const first = await reachableWorkFolder(asked, UID, [join(folder, "missing"), closed, open]);
    expect(first.blockedBy).toBe(join(closed, "data"));
    expect(first.path.startsWith(join(open, "holdpoint-runner-"))).toBe(true);
    expect((await stat(first.path)).mode & 0o777).toBe(0o711);
    await chmod(join(closed, "data"), 0o711);
    expect(await reachableWorkFolder(asked, UID, [open])).toEqual({ path: first.path, blockedBy: closed });
    expect((await reachableWorkFolder(join(closed, "other"), UID, [open])).path).not.toBe(first.path);
  });

  it("is asked for where it really lies", async () => {
    const link = join(open, "link");
    await symlink(closed, link);
    const { blockedBy } = await reachableWorkFolder(join(link, "runner"), UID, [open]);
    expect(blockedBy).toBe(closed);
  });

  it("is never a folder that somebody else may write to, nor a link", async () => {
    const asked = join(closed, "runner");
    const { path } = await reachableWorkFolder(asked, UID, [open]);
    await chmod(path, 0o777);
    await expect(reachableWorkFolder(asked, UID, [open])).rejects.toThrow("was not made by this user");
    await rm(path, { recursive: true });
    await symlink(closed, path);
    await expect(reachableWorkFolder(asked, UID, [open])).rejects.toThrow("was not made by this user");
  });

  it("says what to do where there is none", async () => {
    await expect(reachableWorkFolder(join(closed, "runner"), UID, [closed])).rejects.toThrow(/chmod o\+x/);
  });
});

/** Whether a process can listen on the socket of a provider, below a work folder with a path of so many bytes. */
async function canListen(bytes: number): Promise<boolean> {
  const parent = await mkdtemp("/tmp/hp-");
  try {
    const path = join(parent, "w".repeat(bytes - parent.length - 1));
    const tmp = join(path, "jobs", `job_${"0".repeat(26)}`, "tmp");
    await mkdir(tmp, { recursive: true });
    const server = createServer();
    return await new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(join(tmp, "plugin4294967295"), () => server.close(() => resolve(true)));
    });
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

it("may have a path that leaves room for the sockets of providers, and no longer one", async () => {
  expect(await canListen(WORK_FOLDER_BYTES)).toBe(true);
  // Node leaves out the zero at the end, for which providers, written in Go, need the byte between.
  expect(await canListen(WORK_FOLDER_BYTES + 2)).toBe(false);
});
