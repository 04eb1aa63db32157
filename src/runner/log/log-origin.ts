import type { LogStream } from "../../model/log/log.ts";

/** The origin of lines: their stream and their source in it. */
export interface LogOrigin {
  stream: LogStream;
  /** Lines of one name belong together: a value may be broken over them. */
  name: string;
  /** The text that was put before each line. */
  prefix: string;
}

export const RUNNER_ORIGIN: LogOrigin = { stream: "RUNNER", name: "RUNNER", prefix: "" };

/** Gives the origin of the engine's output, or of a provisioner whose lines begin with `prefix`. */
export function outputOrigin(stream: LogStream, prefix = ""): LogOrigin {
  return { stream, name: `${stream} ${prefix}`, prefix };
}
