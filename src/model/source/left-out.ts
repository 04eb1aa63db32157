/** Files that engines or git leave behind, and files with secrets or state that Holdpoint stores itself. */
const LEFT_OUT = new Set([".git", ".terraform", "terraform.tfstate", "terraform.tfstate.backup", "crash.log"]);

/** Whether a file or folder of this name is skipped, with everything below it. */
export function isLeftOut(part: string): boolean {
  return LEFT_OUT.has(part);
}
