import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { JobFolder } from "../job/job-folder.ts";

/** What /proc says of a process. */
interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  /** Where it works; empty where that may not be read. */
  folder: string;
  /** As it was when the process started: NAME=value each; empty where it may not be read. */
  environment: string[];
}

const POLL_MS = 20;
/** For what starts another while it is ended, and for what takes its time to end. */
const MAX_ROUNDS = 50;
const INIT = 1;
/** The user stands in the first 300 bytes of a status. */
const STATUS_BYTES = 1024;
/** So many are looked at before others have their turn. */
const AT_ONCE = 64;
const HOME_OF_A_JOB = /^HOME=.*\/jobs\/[^/]+\/home$/;

/**
 * Ends what an engine has left outside of its process group (a provisioner that detached itself), and gives the pids.
 * Known on Linux only.
 */
export async function endOrphans(folder: JobFolder, engineUid: number | null): Promise<number[]> {
  const uid = engineUid ?? process.getuid?.();
  const ended = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const running = await runningProcesses(uid);
    const left = findOrphans(folder, engineUid, running);
    if (left.length === 0) break;
    for (const { pid } of left) {
      ended.add(pid);
      kill(pid);
    }
    await sleep(POLL_MS);
  }
  return [...ended];
}

/**
 * At the end of a job: ends whatever still runs as its slot's user. A process that makes another one and is gone is too
 * fast to be found by looking; the kernel ends all of a user at once. Not where somebody else (not the job, and not what
 * it left) started something as that user: that is no slot's alone then.
 */
export async function endProcessesOf(engineUid: number | null): Promise<void> {
  if (engineUid === null) return;
  const buffer = Buffer.allocUnsafe(STATUS_BYTES);
  const isOthers = (uid: number): boolean => !Number.isNaN(uid) && uid !== engineUid;
  const user = { uid: engineUid, gid: engineUid };
  for (let running = await runningProcesses(engineUid), round = 0; round < MAX_ROUNDS; round++) {
    if (running.some(({ parent }) => parent !== INIT && isOthers(ownerOf(parent, buffer)))) return;
    // At first also where nothing was seen.
    if (round > 0 && running.length === 0) return;
    const child = spawn("/bin/sh", ["-c", "kill -KILL -1"], { ...user, cwd: "/", stdio: "ignore", env: {} });
    await once(child, "exit").catch(() => undefined);
    running = await runningProcesses(engineUid);
    // What is killed takes a moment to be gone.
    if (running.length > 0) await sleep(POLL_MS);
  }
}

/** Whether anything runs as that user. Known on Linux only. */
export async function hasProcesses(uid: number): Promise<boolean> {
  return (await runningProcesses(uid)).length > 0;
}

/**
 * Whether processes of an ended engine's group (provisioners) still work in the job's folder. That they do is asked for,
 * because the number alone may belong to somebody else by now. Known on Linux only.
 */
export async function isGroupRunning(group: number, folder: string): Promise<boolean> {
  return (await runningProcesses()).some((one) => one.group === group && isWithin(folder, one));
}

function findOrphans(folder: JobFolder, engineUid: number | null, running: RunningProcess[]): RunningProcess[] {
  const candidates = running.filter((one) => one.pid !== process.pid);
  const mine = new Set([`HOME=${folder.home}`, `TMPDIR=${folder.tmp}`]);
  const isMarked = ({ environment }: RunningProcess): boolean => environment.some((entry) => mine.has(entry));
  // Of the runner's own user everything else is somebody's, a shell in the job's folder as well.
  if (engineUid === null) return candidates.filter(isMarked);
  const isOthers = ({ environment }: RunningProcess): boolean =>
    environment.some((entry) => HOME_OF_A_JOB.test(entry) && !mine.has(entry));
  const isAlone = !candidates.some(isOthers);
  // The engine's user does nothing but jobs. One that has a parent may be the engine of another job that is about to be
  // started: until it executes, it has the runner's environment.
  const isNobodys = (one: RunningProcess): boolean => isAlone && one.parent === INIT;
  return candidates.filter(
    (one) => isMarked(one) || (!isOthers(one) && (isWithin(folder.path, one) || isNobodys(one))),
  );
}

function isWithin(path: string, { folder }: RunningProcess): boolean {
  return folder.startsWith(path + sep);
}

/**
 * Of all users where no uid is given. A machine has many processes and this is asked after every engine command, so that
 * of most of them one small file is read, at once and into one buffer: `readFile` takes 64 kB for each.
 */
async function runningProcesses(uid?: number): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const buffer = Buffer.allocUnsafe(STATUS_BYTES);
  const found: RunningProcess[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    if (uid !== undefined && ownerOf(pid, buffer) !== uid) continue;
    const one = await readProcess(pid);
    if (one !== null) found.push(one);
  }
  return found;
}

/** Its user; NaN where the process has ended. */
function ownerOf(pid: string | number, buffer: Buffer): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readBeginning(`/proc/${pid}/status`, buffer))?.[1] ?? Number.NaN);
}

/** Empty where the process has ended. */
function readBeginning(path: string, buffer: Buffer): string {
  try {
    const file = openSync(path, "r");
    try {
      return buffer.toString("latin1", 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** null: it has ended, perhaps while it was looked at. */
async function readProcess(pid: string): Promise<RunningProcess | null> {
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const [stat, environ, folder] = await Promise.all([
    read("stat"),
    read("environ"),
    readlink(`/proc/${pid}/cwd`).catch(() => ""),
  ]);
  // After the command's name, which may hold blanks: state, parent, group.
  const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || state === "Z" || state === "X") return null;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), folder, environment: environ.split("\0") };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
