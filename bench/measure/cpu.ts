/** CPU time from /proc; other systems have none, and get NaN. */
import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second of the clock of user space: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Places in /proc/<pid>/stat, counted from the one after the command's name. */
const PARENT = 1;
const OWN_TIMES = [11, 12];
/** The times of children that have ended and were waited for. */
const ENDED_TIMES = [13, 14];

interface Stat {
  readonly parent: number;
  /** Ticks. */
  readonly own: number;
  /** Ticks of children that have ended. */
  readonly ended: number;
}

/** Attempts to read all processes while none ends; the last attempt counts anyway. */
const LOOKS = 5;

/** Seconds of CPU that a process and all of its descendants have used, those that have ended among them. */
export function processTreeCpuSeconds(pid: number): number {
  let seconds = Number.NaN;
  for (let look = 0; look < LOOKS; look += 1) {
    // What ends while the others are read is in neither sum; then its parent has more from its children than before.
    const before = readStat(String(pid))?.ended;
    const stats = readAll();
    if (!stats.has(pid)) return Number.NaN;
    let ticks = 0;
    for (const [id, { own, ended }] of stats) if (isWithin(stats, id, pid)) ticks += own + ended;
    seconds = ticks / TICKS_PER_SECOND;
    if (readStat(String(pid))?.ended === before) break;
  }
  return seconds;
}

function isWithin(stats: ReadonlyMap<number, Stat>, pid: number, root: number): boolean {
  for (let id: number | undefined = pid; id !== undefined && id > 1; id = stats.get(id)?.parent) {
    if (id === root) return true;
  }
  return false;
}

function readAll(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of listProcesses()) {
    const stat = readStat(name);
    if (stat !== null) stats.set(Number(name), stat);
  }
  return stats;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** null: it has ended meanwhile. */
function readStat(pid: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const sum = (places: readonly number[]): number =>
      places.reduce((total, place) => total + Number(fields[place]), 0);
    return { parent: Number(fields[PARENT]), own: sum(OWN_TIMES), ended: sum(ENDED_TIMES) };
  } catch {
    return null;
  }
}

/** Gives the bytes of memory that a process has resident; NaN on systems that do not report them. */
export function residentBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
