import { rename, stat } from "node:fs/promises";
import { findText } from "../../os/durable-file.ts";

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const TAIL_LINES = 15;

/** Moves a log that has grown large aside, over the one moved aside before. */
export async function rotateLog(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && facts.size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
}

/** The last lines of a log, for an error message. */
export async function logTail(path: string): Promise<string> {
  const text = (await findText(path)) ?? "";
  return text.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}
