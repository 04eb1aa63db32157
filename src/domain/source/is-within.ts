import { sep } from "node:path";

/** Whether an absolute path is a folder or lies below it; neither may contain `..` or links. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
