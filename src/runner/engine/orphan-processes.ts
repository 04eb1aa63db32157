import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { JobFolder } from "../job/job-folder.ts";

/** A process as /proc shows it. */
interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  /** Its working directory; empty if that may not be read. */
  folder: string;
  /** Its environment at its start, as NAME=value; empty if that may not be read. */
  environment: string[];
}

const POLL_MS = 20;
/** Bounds the rounds against processes that start others while they are ended, or end slowly. */
const MAX_ROUNDS = 50;
const INIT = 1;
/** Bytes of a status file to read; the user is in the first 300. */
const STATUS_BYTES = 1024;
/** Processes to read before the event loop continues. */
const AT_ONCE = 64;
const HOME_OF_A_JOB = /^HOME=.*\/jobs\/[^/]+\/home$/;

/**
 * Ends processes that an engine left outside of its process group, such as a detached provisioner. Gives their pids.
 * Known on Linux only.
 */
export async function endOrphans(folder: JobFolder, engineUid: number | null): Promise<number[]> {
  const uid = engineUid ?? process.getuid?.();
  const ended = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const running = await runningProcesses(uid);
    const orphans = findOrphans(folder, engineUid, running);
    if (orphans.length === 0) break;
    for (const { pid } of orphans) {
      ended.add(pid);
      kill(pid);
    }
    await sleep(POLL_MS);
  }
  return [...ended];
}

/**
 * Ends all processes of a slot's user after a job. One that forks and exits is too fast to find in /proc, so the kernel
 * ends all of the user at once. It does nothing if another user started a process as that user: then the user is not the
 * slot's alone.
 */
export async function endProcessesOf(engineUid: number | null): Promise<void> {
  if (engineUid === null) return;
  const buffer = Buffer.allocUnsafe(STATUS_BYTES);
  const isOthers = (uid: number): boolean => !Number.isNaN(uid) && uid !== engineUid;
  const user = { uid: engineUid, gid: engineUid };
  for (let running = await runningProcesses(engineUid), round = 0; round < MAX_ROUNDS; round++) {
    if (running.some(({ parent }) => parent !== INIT && isOthers(ownerOf(parent, buffer)))) return;
    // The first round kills also if no process was seen.
    if (round > 0 && running.length === 0) return;
    const child = spawn("/bin/sh", ["-c", "kill -KILL -1"], { ...user, cwd: "/", stdio: "ignore", env: {} });
    await once(child, "exit").catch(() => undefined);
    running = await runningProcesses(engineUid);
    // A killed process takes a moment to end.
    if (running.length > 0) await sleep(POLL_MS);
  }
}

/** Gives whether a process runs as that user. Known on Linux only. */
export async function hasProcesses(uid: number): Promise<boolean> {
  return (await runningProcesses(uid)).length > 0;
}

/**
 * Gives whether processes of an ended engine's group (provisioners) still work in the job's folder. The folder is checked,
 * because the number of the group may belong to other processes by now. Known on Linux only.
 */
export async function isGroupRunning(group: number, folder: string): Promise<boolean> {
  return (await runningProcesses()).some((one) => one.group === group && isWithin(folder, one));
}

function findOrphans(folder: JobFolder, engineUid: number | null, running: RunningProcess[]): RunningProcess[] {
  const candidates = running.filter((one) => one.pid !== process.pid);
  const mine = new Set([`HOME=${folder.home}`, `TMPDIR=${folder.tmp}`]);
  const isMarked = ({ environment }: RunningProcess): boolean => environment.some((entry) => mine.has(entry));
  // As the runner's own user other processes may be a person's, such as a shell in the job's folder.
  if (engineUid === null) return candidates.filter(isMarked);
  const isOthers = ({ environment }: RunningProcess): boolean =>
    environment.some((entry) => HOME_OF_A_JOB.test(entry) && !mine.has(entry));
  const isAlone = !candidates.some(isOthers);
  // The engine's user only runs jobs. A process with a parent may be the engine of another job that is about to exec:
  // until then it has the runner's environment.
  const isNobodys = (one: RunningProcess): boolean => isAlone && one.parent === INIT;
  return candidates.filter(
    (one) => isMarked(one) || (!isOthers(one) && (isWithin(folder.path, one) || isNobodys(one))),
  );
}

function isWithin(path: string, { folder }: RunningProcess): boolean {
  return folder.startsWith(path + sep);
}

/**
 * Lists the processes of a user; without a uid, of all users. It runs after every engine command on machines with many
 * processes. So it reads one small file of most of them, into one buffer: `readFile` takes 64 kB for each.
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

/** Gives the user of a process; NaN if it has ended. */
function ownerOf(pid: string | number, buffer: Buffer): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readBeginning(`/proc/${pid}/status`, buffer))?.[1] ?? Number.NaN);
}

/** Reads the first bytes of a file; empty if the process has ended. */
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

/** Reads a process; `null` if it has ended. */
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
    // It has ended already.
  }
}
