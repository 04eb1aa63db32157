import { findEngine, type FoundEngine } from "../../src/runner/engine/engine-discovery.ts";
import { inheritable } from "../../src/runner/engine/engine-environment.ts";

let engine: Promise<FoundEngine | null> | undefined;

/** The engine that a server would find on this machine; `null` if there is none. It is looked for once. */
export function installedEngine(): Promise<FoundEngine | null> {
  engine ??= findEngine(undefined, inheritable(process.env));
  return engine;
}

/** The path of the installed engine, for tests that start it themselves. */
export async function installedEnginePath(): Promise<string> {
  const found = await installedEngine();
  if (found === null) throw new Error("There is no engine: install terraform or tofu, or put it on the PATH.");
  return found.path;
}
