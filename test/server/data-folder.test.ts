import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DataFolder, findSecrets, openDataFolder } from "../../src/server/data-folder.ts";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { findLiveClaim } from "../../src/server/server-claim.ts";

const UNUSED_UID = 65_534;

let parent: string;
let dir: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "data-folder-"));
  dir = join(parent, "deep", "data");
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

const open = (): Promise<DataFolder> =>
  openDataFolder({ dir, uid: process.getuid?.(), identity: ownIdentity(), randomBytes });

async function modeOf(name: string): Promise<number> {
  return (await stat(join(dir, name))).mode & 0o777;
}

test("creates the folder, and keeps token and key for its life", async () => {
  const first = await open();
  const token = await first.readOrCreateAdminToken();
  const key = await first.readOrCreateMasterKey();
  expect(token).toMatch(/^hpt_[\w-]{43}$/);
  expect(key).toHaveLength(32);
  await first.release();

  await using second = await open();
  expect(await second.readOrCreateAdminToken()).toBe(token);
  expect(await second.readOrCreateMasterKey()).toEqual(key);
  expect((await readFile(second.adminTokenPath, "utf8")).trim()).toBe(token);
  expect(await modeOf("admin-token")).toBe(0o600);
  expect(await modeOf("master.key")).toBe(0o600);
  expect(await modeOf(".")).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
  expect((await readdir(dir)).toSorted()).toEqual(["admin-token", "master.key", "server.json"]);
});

test("makes a folder private that others could read", async () => {
  await (await open()).release();
  await chmod(dir, 0o777);
  await (await open()).release();
  expect(await modeOf(".")).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
});

test.each(["admin-token", "master.key"])("the file %s is refused where other users can read it", async (name) => {
  await (await open()).release();
  await writeFile(join(dir, name), "");
  await chmod(join(dir, name), 0o644);
  await using folder = await open();
  const read = name === "admin-token" ? folder.readOrCreateAdminToken() : folder.readOrCreateMasterKey();
  const path = join(dir, name);
  const message = `${path} is open to every user of this machine (mode 644). Run: chmod 600 ${path}`;
  await expect(read).rejects.toThrow(message);
  await expect(findSecrets(dir)).rejects.toThrow(message);
});

test("a key that this user cannot read is named, with its owner and mode", async () => {
  await using folder = await open();
  await folder.readOrCreateMasterKey();
  await chmod(join(dir, "master.key"), 0o000);
  await chmod(parent, 0o755);
  // Root reads every file.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(UNUSED_UID);
  try {
    await expect(folder.readOrCreateMasterKey()).rejects.toThrow(
      `${join(dir, "master.key")} cannot be read by uid ${process.geteuid?.()}: it belongs to uid ${process.getuid?.()} `,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test("one that was killed in the middle of a takeover is taken over as well", async () => {
  await (await open()).release();
  const claim = (nonce: string): string => JSON.stringify({ pid: process.pid, startedAt: "long ago", nonce });
  await writeFile(join(dir, "server.json"), claim("first"));
  await writeFile(join(dir, "server.json.after-first"), claim("second"));
  await using folder = await open();
  expect(await findLiveClaim(folder.dir)).toMatchObject({ pid: process.pid });
  expect(await readdir(dir)).toEqual(["server.json"]);
});

test("a claim that cannot be read is one of nobody", async () => {
  await (await open()).release();
  await writeFile(join(dir, "server.json"), "{");
  await using folder = await open();
  expect(await findLiveClaim(folder.dir)).toMatchObject({ pid: process.pid });
});

test("an earlier owner does not give up what is another's by now", async () => {
  const earlier = await open();
  await rm(join(dir, "server.json"));
  await using _later = await open();
  await earlier.release();
  expect(await findLiveClaim(dir)).toMatchObject({ pid: process.pid });
});

test("a damaged master key is never replaced, because the database is encrypted under it", async () => {
  await using folder = await open();
  await writeFile(join(dir, "master.key"), "", { mode: 0o600 });
  await expect(folder.readOrCreateMasterKey()).rejects.toThrow("Restore it from a backup");
  await writeFile(join(dir, "admin-token"), "x", { mode: 0o600 });
  await expect(folder.readOrCreateAdminToken()).rejects.toThrow("Remove it");
});

test("a file in the folder's place is refused with what to do", async () => {
  dir = join(parent, "file");
  await writeFile(dir, "");
  await expect(open()).rejects.toThrow("Set HOLDPOINT_DATA_DIR");
});
