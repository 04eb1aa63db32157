import type { LogStream } from "../../model/log/log.ts";

/** Where lines come from. */
export interface LogOrigin {
  stream: LogStream;
  /** Lines of one name follow each other: a value may be broken over them. */
  name: string;
  /** What was put before each of them. */
  prefix: string;
}

export const RUNNER_ORIGIN: LogOrigin = { stream: "RUNNER", name: "RUNNER", prefix: "" };

/** The engine's output, or that of one of its provisioners, whose lines begin with `prefix`. */
export function outputOrigin(stream: LogStream, prefix = ""): LogOrigin {
  return { stream, name: `${stream} ${prefix}`, prefix };
}
