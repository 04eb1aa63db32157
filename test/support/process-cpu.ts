import { readFile } from "node:fs/promises";

const TICK_MS = 10;

/** Returns the CPU of a process so far: the ticks that it had, as itself and in the kernel. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user = "0", system = "0"] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
