import { realpath } from "node:fs/promises";

/** Returns the roots that exist. The configuration has refused missing ones, except examples that are not installed. */
export async function realRoots(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return real.filter((root) => root !== null);
}
