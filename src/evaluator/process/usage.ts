/** Reads the use of CPU and memory of a process from the kernel: a process in a loop cannot report it. */
import { readFileSync } from "node:fs";

export interface Usage {
  /** The CPU time of all threads, in steps of 10 ms. */
  cpuMs: number;
  memoryBytes: number;
}

const TICK_MS = 10;
const KIB = 1024;

/** Reads the usage of a process; `null` if it has ended, or where the system has no `/proc`. */
export function usageOf(pid: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name, which may hold spaces; the fields behind it are counted from its end.
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    const resident = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    // A process that has ended and was not waited for has no memory.
    if (resident === undefined) return null;
    return { cpuMs: (Number(user) + Number(system)) * TICK_MS, memoryBytes: Number(resident) * KIB };
  } catch {
    return null;
  }
}
