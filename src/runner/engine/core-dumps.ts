import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ANSWER_MS = 5_000;

/**
 * Forbids core dumps of this process and of all that it starts from now on: their memory holds secrets. Gives false if
 * there is no `prlimit` (of util-linux); then nothing changes.
 */
export async function forbidCoreDumps(): Promise<boolean> {
  try {
    await run("prlimit", ["--core=0:0", "--pid", String(process.pid)], { timeout: ANSWER_MS });
    return true;
  } catch {
    return false;
  }
}
