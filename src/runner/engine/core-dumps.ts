import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ANSWER_MS = 5_000;

/**
 * Whatever this process starts from now on leaves no core dumps: the memory of an engine, and the runner's own, is full
 * of secrets. Where there is no `prlimit` (it comes with util-linux) nothing changes; false then.
 */
export async function forbidCoreDumps(): Promise<boolean> {
  try {
    await run("prlimit", ["--core=0:0", "--pid", String(process.pid)], { timeout: ANSWER_MS });
    return true;
  } catch {
    return false;
  }
}
