/** The built console of this installation, which is built again where it is missing or older than its sources. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ConsoleFolder } from "../http/console/console-routes.ts";

const BUILD_SCRIPT = fileURLToPath(new URL("../console/build.mjs", import.meta.url));
const FOLDER = fileURLToPath(new URL("../../dist/console", import.meta.url));
const BUILD_WITHIN_MS = 120_000;

/** Begins to check the built files. A server that cannot build them reports that on the page, and serves the API. */
export function openConsole(
  onProblem: (problem: string) => void,
  signal: AbortSignal,
): Pick<ConsoleFolder, "folder" | "built"> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const options = { timeout: BUILD_WITHIN_MS, signal, env: {} };
  execFile(process.execPath, [BUILD_SCRIPT, "--strict"], options, (error, _output, errors) => {
    const problem = error === null ? null : errors.trim() || "The console is not built. Run npm ci.";
    if (problem !== null && !signal.aborted) onProblem(problem);
    resolve(problem);
  });
  return { folder: FOLDER, built: promise };
}
