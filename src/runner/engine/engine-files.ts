import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JobVariable } from "../../ingestion/wire.ts";
import type { JobFolder } from "../job/job-folder.ts";

/** Replaces every backend or cloud block of the configuration; address and password are in the environment. */
const BACKEND = 'terraform {\n  backend "http" {}\n}\n';

const OVERRIDE = /(?:^|_)override\.(?:tf|tofu)(?:\.json)?$/;
const AUTO_VARIABLES = /\.auto\.tfvars(?:\.json)?$/;
const MARK = "zz_holdpoint";

/**
 * Files that a source may hold if a person ran the engine in it. With a local state the engine would ask to migrate it,
 * and an old `errored.tfstate` would be taken for one of this run.
 */
const LOCAL_STATE = [
  "terraform.tfstate",
  "terraform.tfstate.backup",
  ".terraform.tfstate.lock.info",
  "errored.tfstate",
];

/** Removes local state and data of the engine. Gives the names of the removed states. */
export async function removeLocalState(folder: JobFolder): Promise<string[]> {
  await folder.requireEngineFolder();
  const names = new Set(await readdir(folder.engineFolder));
  const found = LOCAL_STATE.filter((name) => names.has(name));
  for (const name of [...found, ".terraform"])
    await rm(join(folder.engineFolder, name), { recursive: true, force: true });
  return found;
}

/** Writes the backend as the only configuration of a folder. */
export async function writeBackend(folder: JobFolder): Promise<void> {
  await folder.requireEngineFolder();
  await folder.writeForEngine(join(folder.engineFolder, "backend.tf"), BACKEND);
}

/** Writes the override file that points the engine at the runner's state backend. */
export async function writeBackendOverride(folder: JobFolder): Promise<void> {
  await folder.requireEngineFolder();
  const name = lastName(await readdir(folder.engineFolder), OVERRIDE, `${MARK}_override.tf`, (last) => {
    return `${last.replace(/_?override\.(?:tf|tofu)(?:\.json)?$/, "")}_${MARK}_override.tf`;
  });
  await folder.writeForEngine(join(folder.engineFolder, name), BACKEND);
}

/**
 * Writes the ENGINE variables. Strings go into a JSON file, because the engine parses `TF_VAR_...` unless the variable is
 * declared as a string. Expressions go into a file in the engine's syntax. An undeclared variable causes a warning. Gives
 * the names that cannot be variables.
 */
export async function writeVariables(folder: JobFolder, variables: readonly JobVariable[]): Promise<string[]> {
  await folder.requireEngineFolder();
  const engine = variables.filter(({ category }) => category === "ENGINE");
  const strings = engine.filter(({ hcl }) => !hcl).map(({ key, value }) => [key, value] as const);
  const expressions = engine.filter(({ key, hcl }) => hcl && isIdentifier(key));
  if (strings.length > 0) {
    // One variable per line: an excerpt in a diagnostic shows whole lines.
    const json = `${JSON.stringify(Object.fromEntries(strings), null, 2)}\n`;
    await folder.writeForEngine(await variablesFile(folder, "strings.auto.tfvars.json"), json);
  }
  if (expressions.length > 0) {
    const hcl = expressions.map(({ key, value }) => `${key} = ${value}\n`).join("");
    await folder.writeForEngine(await variablesFile(folder, "expressions.auto.tfvars"), hcl);
  }
  return engine.filter(({ key, hcl }) => hcl && !isIdentifier(key)).map(({ key }) => key);
}

/** Gives whether the runner wrote this file. It is written again for the apply, so the handover omits it. */
export function isVariablesFile(name: string): boolean {
  return new RegExp(`${MARK}_(?:strings|expressions)\\.auto\\.tfvars(?:\\.json)?$`).test(name);
}

async function variablesFile(folder: JobFolder, kind: string): Promise<string> {
  const name = lastName(await readdir(folder.engineFolder), AUTO_VARIABLES, `${MARK}_${kind}`, (last) => {
    return `${last.replace(AUTO_VARIABLES, "")}~${MARK}_${kind}`;
  });
  return join(folder.engineFolder, name);
}

/** Gives a name that sorts last: the engine reads such files in byte order of their names, and the last one wins. */
function lastName(names: string[], kind: RegExp, wanted: string, after: (last: string) => string): string {
  const [last] = names
    .filter((name) => kind.test(name) && !name.includes(MARK))
    .sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
  return last === undefined || Buffer.compare(Buffer.from(last), Buffer.from(wanted)) < 0 ? wanted : after(last);
}

function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name);
}
