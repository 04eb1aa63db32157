import { randomBytes } from "node:crypto";
import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { packDirectory } from "../../../src/domain/source/pack-directory.ts";
import { packEntries } from "../../../src/domain/source/pack-entries.ts";
import { readArchive } from "../../../src/domain/source/read-archive.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { packed, unpacked } from "../../support/tar.ts";

const repack = async (body: Buffer) => packEntries(await readArchive(body));

describe("an archive", () => {
  it("is packed anew: the same content gives the same digest, also as a folder", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-archive-")));
    await mkdir(join(folder, "a.b"));
    for (const name of ["main.tf", "a", "a.b/x", "z"]) await writeFile(join(folder, name), name);
    await symlink("a.b/x", join(folder, "link"));
    const first = await packed([
      { name: "./", type: "directory" },
      { name: "./z", body: "z", uid: 1000, mtime: new Date(1e12) },
      { name: "./a.b/x", body: "a.b/x", uname: "ada" },
      { name: "./link", type: "symlink", linkname: "./a.b/../a.b/x" },
      { name: "./main.tf", body: "main.tf", mode: 0o600 },
      { name: "./a", body: "a" },
      { name: "./terraform.tfstate", body: "{}" },
      { name: "./.git/config", body: "x" },
      { name: "./sub/.terraform/x", body: "x" },
    ]);
    const second = await packed([
      { name: "a", body: "a" },
      { name: "a.b/x", body: "a.b/x" },
      { name: "link", type: "symlink", linkname: "a.b/x" },
      { name: "main.tf", body: "main.tf" },
      { name: "z", body: "z" },
    ]);
    const [one, two] = await Promise.all([repack(first), repack(second)]);
    expect(one.digest).toBe(two.digest);
    expect((await packDirectory(folder, [folder])).digest).toBe(one.digest);
    expect((await unpacked(one.archive)).map(({ name }) => name)).toEqual(["a", "a.b/x", "link", "main.tf", "z"]);
    await rm(folder, { recursive: true });
  });

  it.each([
    ["climbs out", [{ name: "../x", body: "x" }], /leads out/],
    ["climbs out on the way", [{ name: "a/../../x", body: "x" }], /leads out/],
    ["is absolute", [{ name: "/etc/passwd", body: "x" }], /leads out/],
    ["has a backslash", [{ name: "..\\x", body: "x" }], /leads out/],
    ["has a link that leaves", [{ name: "a", type: "symlink", linkname: "../x" }], /leads out/],
    ["has a link that leaves later", [{ name: "b/a", type: "symlink", linkname: "../c/../../x" }], /leads out/],
    ["has a link without a target", [{ name: "a", type: "symlink" }], /leads out/],
    ["has an absolute link", [{ name: "a", type: "symlink", linkname: "/etc/passwd" }], /leads out/],
    ["has a hard link", [{ name: "a", type: "link", linkname: "b" }], /neither a file/],
    ["has a device", [{ name: "a", type: "character-device" }], /neither a file/],
    ["has a pipe", [{ name: "a", type: "fifo" }], /neither a file/],
    [
      "has a name twice",
      [
        { name: "a", body: "1" },
        { name: "./a", body: "2" },
      ],
      /"a" twice/,
    ],
    [
      "writes through a link",
      [
        { name: "a", type: "symlink", linkname: "b" },
        { name: "a/x", body: "" },
      ],
      /no folder/,
    ],
    [
      "has a file below a file",
      [
        { name: "a/x/y", body: "" },
        { name: "a/x", body: "" },
      ],
      /no folder/,
    ],
    ["is empty", [], /no files/],
    ["holds only folders", [{ name: "a", type: "directory" }], /no files/],
    ["holds only what is left out", [{ name: ".git/config", body: "" }], /no files/],
  ] as const)("that %s is refused", async (_what, entries, message) => {
    await expect(readArchive(await packed(entries.map((entry) => ({ ...entry }))))).rejects.toThrow(message);
  });

  it("that is cut off anywhere is refused", async () => {
    const whole = await packed([
      { name: "a", body: randomBytes(5000) },
      { name: "b", body: "b" },
    ]);
    for (const end of [0, 1, 9, 10, 100, 600, 3000, whole.length - 9, whole.length - 1]) {
      await expect(readArchive(whole.subarray(0, end))).rejects.toThrow(/whole tar\.gz|no files/);
    }
    for (const body of [Buffer.from("no archive"), gzipSync("no tar"), gzipSync(randomBytes(2000))]) {
      await expect(readArchive(body)).rejects.toThrow("is not a whole tar.gz");
    }
  });

  it("that grows without end is refused before it has grown", async () => {
    const bomb = await packed([{ name: "a", body: Buffer.alloc(40 * 1024 * 1024) }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(readArchive(bomb)).rejects.toThrow(`more than ${LIMITS.sourceRatio} times as large`);
  });

  it("that has too many files is refused", async () => {
    const entries = Array.from({ length: LIMITS.sourceFiles + 1 }, (_, index) => ({ name: `${index}`, body: "" }));
    await expect(readArchive(await packed(entries))).rejects.toThrow(`more than ${LIMITS.sourceFiles} files`);
  });
});
