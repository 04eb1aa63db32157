/** Reads the files that hooks wrote for policies. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJson, parseExactJson } from "../../model/kit/exact-json.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";
import type { JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { CustomInput } from "../plan/plan-document.ts";

/** A key of `custom`. */
const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;
const SUFFIX = /(?:\.custom\.spacelift)?\.json$/;

export interface CustomInputFiles extends CustomInput {
  /** A line for the log about each file that was not taken. */
  problems: string[];
}

/**
 * Reads `<key>.json` and `<key>.custom.spacelift.json`, in the order of their names. A file that cannot be taken is a
 * problem, and its key is lost: a policy may have to know.
 */
export async function readCustomInput(
  folder: Pick<JobFolder, "policyInput" | "readFromEngine">,
  limits: Pick<RunnerLimits, "policyInputFiles" | "policyInputBytes">,
): Promise<CustomInputFiles> {
  const values: { [key: string]: Json } = {};
  const lost = new Set<string>();
  const problems: string[] = [];
  let bytesLeft = limits.policyInputBytes;
  const names = await listNames(folder.policyInput);
  for (const name of names.slice(0, limits.policyInputFiles)) {
    const key = name.replace(SUFFIX, "");
    const taken = Object.hasOwn(values, key)
      ? `another file gives ${key} too`
      : await readFile(folder, name, bytesLeft);
    if (typeof taken === "string") {
      lost.add(KEY.test(key) ? `custom.${key}` : "custom");
      problems.push(`Custom input ${JSON.stringify(name)} is not taken: ${taken}.`);
      continue;
    }
    bytesLeft -= taken.bytes;
    Object.defineProperty(values, key, { value: taken.value, enumerable: true });
  }
  const more = names.length - limits.policyInputFiles;
  if (more > 0) {
    lost.add("custom");
    problems.push(`Custom input: ${more} more files are not taken. A run takes ${limits.policyInputFiles}.`);
  }
  return { values, lost: [...lost], problems };
}

/** Reads a file. Gives the reason if it cannot be taken. */
async function readFile(
  folder: Pick<JobFolder, "policyInput" | "readFromEngine">,
  name: string,
  mostBytes: number,
): Promise<{ value: Json; bytes: number } | string> {
  if (!SUFFIX.test(name)) return "its name must end in .json";
  if (!KEY.test(name.replace(SUFFIX, ""))) {
    return "its name must begin with a letter and have at most 63 letters, digits, _ and - before .json";
  }
  const bytes = await folder.readFromEngine(join(folder.policyInput, name), mostBytes).catch(() => undefined);
  if (bytes === undefined) {
    return `it must be a file, and what all files have together is limited; there are ${mostBytes} bytes left`;
  }
  const value = parse(bytes);
  return value === null ? "it must hold an object of JSON" : { value, bytes: bytes.length };
}

/** The engine's user owns the folder, and may have put something else in its place. */
async function listNames(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory() !== true) return [];
  return (await readdir(path)).toSorted();
}

function parse(bytes: Buffer): Json | null {
  try {
    const value = parseExactJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isRecord(value) && isJson(value) ? value : null;
  } catch {
    return null;
  }
}
