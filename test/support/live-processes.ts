import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isSameProcess, type ProcessIdentity, processIdentity } from "../../src/os/process-identity.ts";

export interface LiveProcess extends ProcessIdentity {
  command: string;
}

/**
 * Every live process whose command line, environment, folder or process group has to do with a server: /proc is asked
 * rather than the server, which may be dead. `text` stands in the environment of all that a test's server starts.
 */
export function liveProcesses(text: string, group: number | null = null): LiveProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const pid = Number(name);
      const identity = processIdentity(pid);
      const command = read(pid, "cmdline").replaceAll("\0", " ");
      const stat = read(pid, "stat");
      const isMember = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group;
      const isMarked = [command, read(pid, "environ"), folderOf(pid)].some((part) => part.includes(text));
      return identity !== null && (isMarked || isMember) ? [{ ...identity, command }] : [];
    });
}

/** Which of them still run. */
export function survivors(processes: LiveProcess[]): string[] {
  return processes.filter(isSameProcess).map(({ pid, command }) => `${pid} ${command}`);
}

export function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? Number.NaN);
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** A process may end while it is looked at. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
