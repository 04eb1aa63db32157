import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobFolder } from "./job-folder.ts";

/** What /proc says of a process. */
interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  uid: number;
  /** Where it works; empty where that may not be read. */
  folder: string;
  /** As it was when the process started: NAME=value each; empty where it may not be read. */
  environment: string[];
}

const POLL_MS = 20;
/** For what starts another while it is ended, and for what takes its time to end. */
const MAX_ROUNDS = 50;
const INIT = 1;
const HOME_OF_A_JOB = /^HOME=.*\/jobs\/[^/]+\/home$/;

/**
 * Ends what an engine has left outside of its process group (a provisioner that detached itself), and gives the pids.
 * Known on Linux only.
 */
export async function endLeftProcesses(folder: JobFolder, engineUid: number | null): Promise<number[]> {
  const ended = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = leftOf(folder, engineUid, await runningProcesses());
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
 * Whether processes of an ended engine's group (provisioners) still work in the job's folder. That they do is asked for,
 * because the number alone may belong to somebody else by now. Known on Linux only.
 */
export async function isGroupAtWork(group: number, folder: string): Promise<boolean> {
  return (await runningProcesses()).some((one) => one.group === group && isWithin(folder, one));
}

function leftOf(folder: JobFolder, engineUid: number | null, running: RunningProcess[]): RunningProcess[] {
  const uid = engineUid ?? process.getuid?.();
  const candidates = running.filter((one) => one.uid === uid && one.pid !== process.pid);
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

async function runningProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((one) => one !== null);
}

/** null: it has ended, perhaps while it was looked at. */
async function readProcess(pid: string): Promise<RunningProcess | null> {
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const [stat, status, environ, folder] = await Promise.all([
    read("stat"),
    read("status"),
    read("environ"),
    readlink(`/proc/${pid}/cwd`).catch(() => ""),
  ]);
  // After the command's name, which may hold blanks: state, parent, group.
  const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || state === "Z" || state === "X") return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    uid: Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN),
    folder,
    environment: environ.split("\0"),
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
