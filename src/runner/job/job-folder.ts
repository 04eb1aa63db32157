import { constants } from "node:fs";
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RunLeg } from "../../model/lifecycle/run-kind.ts";
import { isSameProcess, ownIdentity, type ProcessIdentity } from "../../os/process-identity.ts";
import { type JobKey, type JobOwner, type EngineRecord, readEngine, readOwner } from "./folder-owner.ts";
import { withLineage } from "./state-lineage.ts";

const PRIVATE = 0o700;
const PASSABLE = 0o711;
/** Mode of a folder of root that the engine's own group may pass; closed to all other users. */
const PASSABLE_BY_ENGINE = 0o710;

/** The file that the engine writes if the state backend did not take the state. */
const ERRORED_STATE = "errored.tfstate";
const OWNER = "runner.json";
const ENGINE_FILE = /^engine(?:-\d+)?\.json$/;

/**
 * The folder of one job:
 *
 * - `work` the source, modules, lock file. The engine's working directory is in it: its root, or a folder below
 * - `plan` the saved plan. Not in `work`: an expression that lists files would see it in the apply, but not in the plan
 * - `home`, `tmp` the engine's own
 * - `policy-input` files of hooks that policies read beside the plan
 * - `tools` what the command of a task finds in its PATH
 * - the runner's files, which the engine's user cannot write
 */
export class JobFolder {
  readonly path: string;
  readonly #engineUid: number | null;
  readonly #savesState: boolean;
  readonly #workFolder: string;
  #retained: string | null = null;

  private constructor(
    path: string,
    engineUid: number | null,
    { savesState, workFolder }: Pick<JobOwner, "savesState" | "workFolder">,
  ) {
    this.path = path;
    this.#engineUid = engineUid;
    this.#savesState = savesState;
    this.#workFolder = safeFolder(workFolder);
  }

  /** Describes a folder that may be there already. The engine's user is the one that it was made for. */
  static async at(path: string): Promise<JobFolder> {
    const owner = (await lstat(join(path, "home")).catch(ignoreMissing))?.uid;
    const engineUid = owner === undefined || owner === process.getuid?.() ? null : owner;
    const owned = await readOwner(join(path, OWNER));
    // Without an owner nothing is known of the job: there may be a state to save.
    return new JobFolder(path, engineUid, owned ?? { savesState: true, workFolder: "." });
  }

  /** `null`: the runner's own user. */
  get engineUid(): number | null {
    return this.#engineUid;
  }

  /** Makes a fresh folder. An existing one belongs to an earlier attempt at the same job. */
  static async create(
    jobsFolder: string,
    { id, token, leg = "APPLY", workFolder = "." }: JobKey & { leg?: RunLeg; workFolder?: string | undefined },
    engineUid: number | null,
  ): Promise<JobFolder> {
    const path = join(jobsFolder, safeName(id));
    if ((await (await JobFolder.at(path)).undeliveredState()) !== null) await setAside(path);
    const savesState = leg !== "PLAN" && leg !== "REPLAN";
    const folder = new JobFolder(path, engineUid, { savesState, workFolder });
    await rm(folder.path, { recursive: true, force: true });
    await mkdir(folder.path, { mode: PRIVATE });
    const ownedBy: JobOwner = { ...ownIdentity(), job: { id, token }, savesState, workFolder };
    await writeFile(folder.ownerFile, JSON.stringify(ownedBy), { mode: 0o600 });
    await Promise.all(
      [folder.work, folder.home, folder.tmp, folder.plan, folder.policyInput].map((path) => folder.#make(path)),
    );
    if (engineUid !== null) {
      await chown(folder.path, process.getuid?.() ?? 0, engineUid);
      await chmod(folder.path, PASSABLE_BY_ENGINE);
    }
    return folder;
  }

  /** The root of the source. */
  get work(): string {
    return join(this.path, "work");
  }

  /** The engine's working directory, in `work`. */
  get engineFolder(): string {
    return join(this.work, this.#workFolder);
  }

  /** The path of the engine's working directory in `work`; `.` is its root. */
  get workFolder(): string {
    return this.#workFolder;
  }

  /**
   * Whether the engine's working directory is where it was made. Commands of the engine's user can rename the folders
   * around it, and put a link in their place that leads the runner elsewhere.
   */
  async hasEngineFolder(): Promise<boolean> {
    const parts = this.#workFolder.split("/");
    for (let count = 0; count <= parts.length; count++) {
      const found = await lstat(join(this.work, ...parts.slice(0, count))).catch(ignoreMissing);
      if (found?.isDirectory() !== true) return false;
    }
    return true;
  }

  /** Throws if the engine's working directory was replaced. */
  async requireEngineFolder(): Promise<void> {
    if (!(await this.hasEngineFolder())) throw new Error("The folder in which the engine runs was replaced");
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

  /** Where hooks write custom input. */
  get policyInput(): string {
    return join(this.path, "policy-input");
  }

  /** Where a DETECT hook writes what it found. */
  get scanFile(): string {
    return join(this.tmp, "holdpoint-scan.json");
  }

  get tmp(): string {
    return join(this.path, "tmp");
  }

  /** A file on its way from the server, or to it. */
  get transferFile(): string {
    return join(this.path, "transfer.tar.gz");
  }

  /** A state that the server has not taken yet. */
  get undeliveredFile(): string {
    return join(this.path, "undelivered.tfstate");
  }

  /** The state lock that the engine holds. */
  get lockFile(): string {
    return join(this.path, "state-lock");
  }

  /** Which runner works on the job, and under which token. */
  get ownerFile(): string {
    return join(this.path, OWNER);
  }

  /** Which engine runs. */
  get engineFile(): string {
    return join(this.path, "engine.json");
  }

  /** Where another one beside it is written down. */
  numberedEngineFile(number: number): string {
    return join(this.path, `engine-${number}.json`);
  }

  get erroredStateFile(): string {
    return join(this.engineFolder, ERRORED_STATE);
  }

  /** Makes the engine's user the owner of a path. */
  async own(path: string): Promise<void> {
    if (this.#engineUid !== null) await chown(path, this.#engineUid, this.#engineUid);
  }

  /** Replaces a folder of the engine by an empty one. */
  async makeEmpty(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
    await this.#make(path);
  }

  async #make(path: string): Promise<void> {
    await mkdir(path, { mode: PRIVATE });
    await this.own(path);
  }

  /** Removes all but the work, the plan and the owner. */
  async removeAllButPlan(): Promise<void> {
    const needed = [this.work, this.plan, this.ownerFile].map((path) => basename(path));
    for (const name of await readdir(this.path)) {
      if (!needed.includes(name)) await rm(join(this.path, name), { recursive: true, force: true });
    }
  }

  async writeForEngine(path: string, content: string): Promise<void> {
    // Commands of the engine's user may have put a link here, which would lead to a file that only the runner may write.
    await rm(path, { recursive: true, force: true });
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(content);
      if (this.#engineUid !== null) await file.chown(this.#engineUid, this.#engineUid);
    } finally {
      await file.close();
    }
  }

  /** Makes a program of this name for the PATH of a task. The engine's user cannot change it. */
  async makeTool(name: string, path: string): Promise<void> {
    await mkdir(this.tools, { recursive: true, mode: 0o755 });
    const quoted = `'${path.replaceAll("'", "'\\''")}'`;
    await writeFile(join(this.tools, name), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  }

  /**
   * Reads a file of the engine; `undefined` if there is none. Throws for a link and for a file of another user: the
   * engine could point to a file that only the runner may read.
   */
  async readFromEngine(path: string, mostBytes = Number.POSITIVE_INFINITY): Promise<Buffer<ArrayBuffer> | undefined> {
    // A pipe without a writer would hold up the runner.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(path, flags).catch(ignoreMissing);
    if (file === undefined) return undefined;
    try {
      const stat = await file.stat();
      if (!stat.isFile() || !this.isEngines(stat.uid))
        throw new Error("The engine left a link or a file of another user");
      if (stat.size > mostBytes) throw new Error(`The file has more than ${mostBytes} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /** Reads the state that the engine could not store; `undefined` if there is none. */
  async readErroredState(): Promise<Buffer<ArrayBuffer> | undefined> {
    const bytes = await this.readFromEngine(this.erroredStateFile);
    return bytes === undefined ? undefined : withLineage(bytes, basename(this.path));
  }

  /** Gives whether there was one. */
  async removeErroredState(): Promise<boolean> {
    if (!(await this.hasEngineFolder())) return false;
    if ((await lstat(this.erroredStateFile).catch(ignoreMissing)) === undefined) return false;
    await rm(this.erroredStateFile, { recursive: true, force: true });
    return true;
  }

  isEngines(uid: number): boolean {
    return this.#engineUid === null || uid === this.#engineUid;
  }

  /**
   * Gives the path of an undelivered state; `null` if there is none. A file of this name in the folder of a plan came
   * with the source and is no state.
   */
  async undeliveredState(): Promise<string | null> {
    if (!this.#savesState) return null;
    for (const path of [this.undeliveredFile, this.erroredStateFile]) {
      if ((await lstat(path).catch(ignoreMissing)) !== undefined) return path;
    }
    return null;
  }

  /** The runner and the job that the folder was made for; `null` if its file cannot be read. */
  async owner(): Promise<JobOwner | null> {
    return readOwner(this.ownerFile);
  }

  /** Gives the state lock that the engine of this job holds; `undefined` if none. */
  async heldLock(): Promise<string | undefined> {
    return readFile(this.lockFile, "utf8").catch(ignoreMissing);
  }

  /** All that are written down. */
  async engines(): Promise<EngineRecord[]> {
    const names = (await readdir(this.path).catch(() => [])).filter((name) => ENGINE_FILE.test(name));
    const found = await Promise.all(names.map((name) => readEngine(join(this.path, name))));
    return found.filter((engine) => engine !== null);
  }

  /** Keeps the folder after its job. */
  retain(reason: string): void {
    this.#retained ??= reason;
  }

  get retained(): string | null {
    return this.#retained;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes the folder that holds all jobs; passable for the engine's user, readable for the runner alone. */
export async function makeJobsFolder(workDir: string, engineUid: number | null): Promise<string> {
  const jobs = join(workDir, "jobs");
  await mkdir(jobs, { recursive: true, mode: PRIVATE });
  for (const path of [workDir, jobs]) await chmod(path, engineUid === null ? PRIVATE : PASSABLE);
  return jobs;
}

export function isAlive(identity: ProcessIdentity | null): identity is ProcessIdentity {
  return identity !== null && isSameProcess(identity);
}

async function setAside(path: string): Promise<void> {
  await rename(path, `${path}.${Date.now()}`);
}

/** Checks the path of a folder in the source, which comes from the server. */
function safeFolder(path: string): string {
  const parts = path.split("/");
  if (path === "." || parts.every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0")))
    return path;
  throw new Error("The server sent a job with a malformed folder");
}

/** Checks a job id, which comes from the server and becomes a part of a path. */
function safeName(id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,100}$/.test(id)) throw new Error("The server sent a job with a malformed id");
  return id;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
    return undefined;
  throw error;
}
