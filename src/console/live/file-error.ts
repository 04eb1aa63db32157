/** Failures of files that a page reads beside the API: the changes of a plan, the lines of a log. */
import { UnreachableError } from "../../client/errors.ts";

/** The server has refused to give a file. */
export class FileRefusedError extends Error {
  override name = "FileRefusedError";
  readonly status: number;

  constructor(subject: string, status: number) {
    super(`${subject} could not be read (HTTP ${status}).`);
    this.status = status;
  }
}

/** Whether reading a file has failed on its way. A connection that breaks is a TypeError of the browser. */
export function isLostFile(error: unknown): boolean {
  if (error instanceof FileRefusedError) return error.status >= 500;
  return error instanceof TypeError || error instanceof UnreachableError;
}
