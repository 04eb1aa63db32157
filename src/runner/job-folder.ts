import { chmod, chown, lstat, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isSameProcess, ownIdentity, type ProcessIdentity } from "../process-identity.ts";

const identitySchema = z.object({ pid: z.int().positive(), startedAt: z.string() });

const PRIVATE = 0o700;
const PASSABLE = 0o711;

/** The engine leaves it in its folder where the state backend did not take the state. */
const ERRORED_STATE = "errored.tfstate";

/**
 * The folder of one job:
 *
 * - `work` the engine's working directory: configuration, modules, lock file
 * - `plan` the saved plan. Not in `work`: an expression that lists files would see it in the apply, but not in the plan
 * - `home`, `tmp` the engine's own
 * - `tools` what the command of a task finds in its PATH
 * - the runner's files, which the engine's user cannot write
 */
export class JobFolder {
  readonly path: string;
  readonly #engineUid: number | null;
  #kept: string | null = null;

  private constructor(path: string, engineUid: number | null) {
    this.path = path;
    this.#engineUid = engineUid;
  }

  /** The folder of a job of this or an earlier runner, as it is. */
  static at(path: string, engineUid: number | null): JobFolder {
    return new JobFolder(path, engineUid);
  }

  /** A fresh folder. One that is there already belongs to an earlier attempt at the same job. */
  static async create(jobsFolder: string, jobId: string, engineUid: number | null): Promise<JobFolder> {
    const folder = new JobFolder(join(jobsFolder, safeName(jobId)), engineUid);
    if ((await folder.undeliveredState()) !== null) await setAside(folder.path);
    await rm(folder.path, { recursive: true, force: true });
    await mkdir(folder.path, { mode: PRIVATE });
    await writeFile(folder.ownerFile, JSON.stringify(ownIdentity()), { mode: 0o600 });
    for (const path of [folder.work, folder.home, folder.tmp, folder.plan]) {
      await mkdir(path, { mode: PRIVATE });
      await folder.own(path);
    }
    if (engineUid !== null) await chmod(folder.path, PASSABLE);
    return folder;
  }

  get work(): string {
    return join(this.path, "work");
  }

  get plan(): string {
    return join(this.path, "plan");
  }

  get planFile(): string {
    return join(this.plan, "plan.tfplan");
  }

  get tools(): string {
    return join(this.path, "tools");
  }

  get home(): string {
    return join(this.path, "home");
  }

  get tmp(): string {
    return join(this.path, "tmp");
  }

  /** What came from the server, or goes there. */
  get transferFile(): string {
    return join(this.path, "transfer.tar.gz");
  }

  /** A state that the server has not taken yet. */
  get undeliveredFile(): string {
    return join(this.path, "undelivered.tfstate");
  }

  /** Which runner works on the job. */
  get ownerFile(): string {
    return join(this.path, "runner.json");
  }

  /** Which engine runs. */
  get engineFile(): string {
    return join(this.path, "engine.json");
  }

  get erroredStateFile(): string {
    return join(this.work, ERRORED_STATE);
  }

  /** Makes the engine's user the owner. */
  async own(path: string): Promise<void> {
    if (this.#engineUid !== null) await chown(path, this.#engineUid, this.#engineUid);
  }

  async writeForEngine(path: string, content: string): Promise<void> {
    await writeFile(path, content, { mode: 0o600 });
    await this.own(path);
  }

  /** Makes a program that can be called by this name. The engine's user cannot write in there. */
  async makeTool(name: string, path: string): Promise<void> {
    await mkdir(this.tools, { recursive: true, mode: 0o755 });
    const quoted = `'${path.replaceAll("'", "'\\''")}'`;
    await writeFile(join(this.tools, name), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  }

  /**
   * Reads what the engine wrote; undefined where there is none. A link is refused, and so is a file of another user:
   * the engine could name one that only the runner may read.
   */
  async readFromEngine(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing);
    if (file === undefined) return undefined;
    try {
      const stat = await file.stat();
      if (!stat.isFile() || !this.isEngines(stat.uid))
        throw new Error("The engine left something that is not its own file");
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  isEngines(uid: number): boolean {
    return this.#engineUid === null || uid === this.#engineUid;
  }

  /** The path of a state that was not delivered; null where there is none. */
  async undeliveredState(): Promise<string | null> {
    for (const path of [this.undeliveredFile, this.erroredStateFile]) {
      if ((await lstat(path).catch(ignoreMissing)) !== undefined) return path;
    }
    return null;
  }

  /** Whether the runner that made the folder still runs. */
  async owner(): Promise<ProcessIdentity | undefined> {
    return readIdentity(this.ownerFile);
  }

  async engine(): Promise<ProcessIdentity | undefined> {
    return readIdentity(this.engineFile);
  }

  /** The folder outlives its job. */
  keep(why: string): void {
    this.#kept ??= why;
  }

  get kept(): string | null {
    return this.#kept;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes the folder that holds all jobs; passable for the engine's user, readable by nobody else. */
export async function makeJobsFolder(workDir: string, engineUid: number | null): Promise<string> {
  const jobs = join(workDir, "jobs");
  await mkdir(jobs, { recursive: true, mode: PRIVATE });
  for (const path of [workDir, jobs]) await chmod(path, engineUid === null ? PRIVATE : PASSABLE);
  return jobs;
}

export function isAlive(identity: ProcessIdentity | undefined): identity is ProcessIdentity {
  return identity !== undefined && isSameProcess(identity);
}

async function readIdentity(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return identitySchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

async function setAside(path: string): Promise<void> {
  await rename(path, `${path}.${Date.now()}`);
}

/** Job ids come from the server, and become a part of a path. */
function safeName(id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,100}$/.test(id)) throw new Error("The server gave a job an id that is not one");
  return id;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
    return undefined;
  throw error;
}
