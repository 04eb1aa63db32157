/** The work of a user without Holdpoint: init, plan into a file, apply that file. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";

const COMMANDS = [
  ["init", "-input=false", "-no-color"],
  ["plan", "-input=false", "-no-color", "-out=saved.tfplan"],
  ["apply", "-input=false", "-no-color", "saved.tfplan"],
] as const;

/** One after the other, in a fresh copy of the folder; gives the milliseconds of each. */
export async function runBareEngine(enginePath: string, source: string, folder: string): Promise<number[]> {
  const work = await mkdtemp(join(folder, "bare-"));
  await cp(source, work, { recursive: true });
  const times: number[] = [];
  for (const args of COMMANDS) {
    const started = performance.now();
    const child = spawn(enginePath, args, { cwd: work, stdio: "ignore", env: environment(work) });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`${enginePath} ${args[0]} ended with ${String(code)}.`);
    times.push(performance.now() - started);
  }
  await rm(work, { recursive: true });
  return times;
}

/** As the runner's engines have it, but for the backend. */
function environment(home: string): Record<string, string> {
  const path = ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  return { PATH: path, HOME: home, TF_IN_AUTOMATION: "1", TF_INPUT: "0", CHECKPOINT_DISABLE: "1" };
}
