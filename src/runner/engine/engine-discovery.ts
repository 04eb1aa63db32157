import { execFile } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { EngineVersion } from "../../model/plan/plan.ts";
import { inheritable } from "./engine-environment.ts";

const run = promisify(execFile);
const ENGINES = ["terraform", "tofu"] as const;
const ANSWER_MS = 20_000;

/** OpenTofu kept the name of the field. */
const versionSchema = z.object({ terraform_version: z.string().regex(/^\d+\.\d+\./) });

/** The oldest version that is supported. OpenTofu began with 1.6. */
const OLDEST = { major: 1, minor: 5 };

/** An engine that was found on this machine; `path` is absolute. */
export interface FoundEngine extends EngineVersion {
  path: string;
}

/**
 * Finds the engine that `raw` names: a path, or a name on PATH. Without `raw` it takes the first of terraform and tofu on
 * PATH, or gives `null`. Throws an Error that names HOLDPOINT_ENGINE if `raw` does not work or the engine is too old.
 */
export async function findEngine(
  raw: string | undefined,
  inherited: Readonly<Record<string, string>>,
): Promise<FoundEngine | null> {
  const wanted = raw?.trim();
  if (wanted !== undefined && wanted !== "") return requireSupported(await findNamed(wanted, inherited));
  for (const name of ENGINES) {
    const path = await findOnPath(name, inherited["PATH"]);
    const found = path === undefined ? undefined : await askVersion(path, inherited).catch(() => undefined);
    if (found !== undefined) return requireSupported(found);
  }
  return null;
}

function requireSupported(engine: FoundEngine): FoundEngine {
  const [major = 0, minor = 0] = engine.version.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return engine;
  throw new Error(
    `HOLDPOINT_ENGINE: "${engine.path}" is ${engine.name} ${engine.version}; Holdpoint needs ` +
      `${OLDEST.major}.${OLDEST.minor} or newer. Install a newer one, or set HOLDPOINT_ENGINE to the path of one.`,
  );
}

async function findNamed(wanted: string, inherited: Readonly<Record<string, string>>): Promise<FoundEngine> {
  const isPath = isAbsolute(wanted) || wanted.includes("/");
  const path = isPath ? resolve(wanted) : await findOnPath(wanted, inherited["PATH"]);
  if (path === undefined) throw new Error(`HOLDPOINT_ENGINE: there is no "${wanted}" on PATH.`);
  if (!(await isExecutable(path))) throw new Error(`HOLDPOINT_ENGINE: "${path}" is not an executable file.`);
  try {
    return await askVersion(path, inherited);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(`HOLDPOINT_ENGINE: "${path}" does not answer "version -json" like terraform or tofu: ${reason}`, {
      cause: error,
    });
  }
}

async function findOnPath(name: string, path: string | undefined): Promise<string | undefined> {
  for (const folder of (path ?? "").split(delimiter).filter((entry) => entry !== "")) {
    const candidate = resolve(join(folder, name));
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function askVersion(path: string, inherited: Readonly<Record<string, string>>): Promise<FoundEngine> {
  const env = { ...inheritable(inherited), CHECKPOINT_DISABLE: "1" };
  const options = { env, timeout: ANSWER_MS, cwd: "/" };
  // The JSON does not name the engine, and a file may have any name. Both run at once, because a start waits for them.
  const [{ stdout }, plain] = await Promise.all([
    run(path, ["version", "-json"], options),
    run(path, ["version"], options).catch(() => ({ stdout: "" })),
  ]);
  const version = versionSchema.parse(JSON.parse(stdout)).terraform_version;
  return { path, name: engineName(plain.stdout, path), version };
}

function engineName(plainVersion: string, path: string): string {
  if (/^OpenTofu v/m.test(plainVersion)) return "tofu";
  if (/^Terraform v/m.test(plainVersion)) return "terraform";
  return basename(path).toLowerCase().includes("tofu") ? "tofu" : "terraform";
}
