import { readGit } from "./git-process.ts";

/** The oldest git that connects to given addresses alone (2.37) and merges without a work tree (2.38). */
export const OLDEST_GIT = "2.38";

const OUTPUT_BYTES = 1024;

/** Returns the version of the git in the PATH; `null` if there is none. */
export async function findGitVersion(path: string, signal: AbortSignal): Promise<string | null> {
  const call = { args: ["--version"], cwd: "/", env: { PATH: path, LC_ALL: "C" }, signal };
  try {
    const text = (await readGit(call, OUTPUT_BYTES)).toString();
    return /(\d+(?:\.\d+)+)/.exec(text)?.[1] ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Whether a version of git is new enough. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_GIT.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
