import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { invalidField } from "../../model/kit/user-error.ts";
import { isWithin } from "./is-within.ts";
import { belowRoots } from "./source-roots.ts";

/**
 * Returns the real path of a repository on the server's disk. It and its `.git` must lie below a root. Throws
 * INVALID_INPUT naming the field.
 */
export async function resolveRepository(folder: string, roots: readonly string[]): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null && (await isFolderBelow(real, roots))) {
    const inner = await realpath(join(real, ".git")).catch(() => real);
    if (await isFolderBelow(inner, roots)) return real;
  }
  throw invalidField("source.git.url", `must be a repository that exists, ${belowRoots(roots)}`);
}

async function isFolderBelow(real: string, roots: readonly string[]): Promise<boolean> {
  return roots.some((root) => isWithin(root, real)) && (await stat(real)).isDirectory();
}
