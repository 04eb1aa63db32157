import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { findText, hasCode } from "./durable-file.ts";

/** The permissions that users must not have who are neither the owner nor in the file's group. */
const OTHERS = 0o007;

/** A file with a secret has a mode or an owner that will not do; the message names the command that corrects it. */
class SecretFileError extends Error {
  override readonly name = "SecretFileError";
}

/**
 * Reads a file that holds a secret; undefined when there is no such file. A copy without modes (`cp -r`, an archive) is
 * open to every user of the machine.
 *
 * @throws SecretFileError where every user may read or change the file, or this one may not read it
 */
export async function findSecret(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (facts === undefined) return undefined;
  if ((facts.mode & OTHERS) !== 0) {
    throw new SecretFileError(
      `${path} is open to every user of this machine (mode ${modeText(facts)}). Run: chmod 600 ${path}`,
    );
  }
  try {
    return await findText(path);
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM")) throw error;
    throw new SecretFileError(
      `${path} cannot be read by uid ${process.geteuid?.()}: it belongs to uid ${facts.uid} and has mode ` +
        `${modeText(facts)}. Start Holdpoint as its owner, or make this user its owner with chown.`,
      { cause: error },
    );
  }
}

/** The mode as chmod takes it, for example `644`. */
export function modeText({ mode }: Pick<Stats, "mode">): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}
