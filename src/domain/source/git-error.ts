import { invalidField } from "../../model/kit/user-error.ts";
import type { GitSource } from "../../model/workspace/workspace.ts";
import { FolderMissing } from "../inputs/collect-inputs.ts";
import { GitFailed } from "./git-process.ts";
import { MirrorTooLarge, RemoteTimedOut } from "./git-remote.ts";
import { SourceRefused } from "./source-entry.ts";

export interface Failed {
  source: Pick<GitSource, "branch">;
  hidden: { secrets: readonly string[]; folder: string };
  limits: { gitMs: number; gitBytes: number };
}

const MAX_LINES = 12;
const MAX_CHARACTERS = 2000;

/** Converts an error that a caller can act on to INVALID_INPUT naming the field; returns others unchanged. */
export function toUserError(error: unknown, failed: Failed): unknown {
  const { source, hidden, limits } = failed;
  if (error instanceof MirrorTooLarge) {
    return invalidField("source.git.url", `is larger than the ${limits.gitBytes} bytes that may be fetched.`);
  }
  if (error instanceof RemoteTimedOut)
    return invalidField("source.git.url", `did not give the commit within ${limits.gitMs / 1000} seconds.`);
  if (error instanceof FolderMissing) return invalidField("source.git.path", error.message);
  if (error instanceof SourceRefused) return invalidField("source.git.path", error.message);
  if (isMissing(error)) return invalidField("source.git", "cannot be fetched: this server has no git.");
  if (!(error instanceof GitFailed)) return error;
  const text = shown(error.message, hidden);
  if (/couldn't find remote ref|Remote branch .* not found/i.test(text)) {
    return invalidField("source.git.branch", `is not there: the repository has no branch "${source.branch}".`);
  }
  const gone = LOST_COMMIT.exec(text)?.[1];
  if (gone !== undefined) {
    return invalidField("source.git.url", `does not have the commit ${gone} any more: no branch or tag has kept it.`);
  }
  if (/requested URL returned error: 30\d/i.test(text)) {
    return invalidField("source.git.url", `redirects. Give the address that it redirects to, often the one with .git.`);
  }
  return invalidField("source.git.url", `could not be fetched. ${text}`);
}

/** Whether an object that was asked for by its id is not in the repository, or is not a commit. */
export function isMissingObject(error: unknown): boolean {
  const gone = /not our ref|unadvertised object|does not have the object|is not a commit|bad object|did not send all/i;
  return error instanceof GitFailed && gone.test(error.message);
}

/** Git's messages about an object that the host does not give, or does not have. */
const LOST_COMMIT = /(?:not our ref|does not have the object|unadvertised object) ([0-9a-f]{40,64})/i;

/** Whether git is not installed. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT" && "syscall" in error;
}

/** Returns the message of git for people. */
export function shownMessage(error: GitFailed, hidden: Failed["hidden"]): string {
  if (/requested URL returned error: 30\d/i.test(error.message)) {
    return "The host redirects to another address, which is not followed. Was the repository renamed? Update its name.";
  }
  return `The repository could not be read. ${shown(error.message, hidden)}`;
}

/** Shortens git's error for a message: last lines, without secrets, server folders or control characters. */
function shown(text: string, { secrets, folder }: Failed["hidden"]): string {
  let masked = text.replaceAll(folder, "...");
  for (const secret of secrets) if (secret !== "") masked = masked.replaceAll(secret, "***");
  const lines = masked
    .split(/[\r\n]+/)
    // oxlint-disable-next-line no-control-regex
    .map((line) =>
      line
        .replace(/\x1b\[[0-9;]*[A-Za-z]/g, "")
        .replace(/[\0-\x1f\x7f]/g, "")
        .trim(),
    )
    .filter((line) => line !== "");
  return lines.slice(-MAX_LINES).join("\n").slice(-MAX_CHARACTERS);
}
