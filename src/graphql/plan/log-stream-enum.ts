import type { LogStream } from "../../model/log/log.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const LogStreamEnum = describedEnum<LogStream>("LogStream", "The origin of a log line.", {
  STDOUT: "The standard output of the engine, a provisioner, a task or a hook.",
  STDERR: "The standard error of the engine, a provisioner, a task or a hook.",
  RUNNER: "The runner itself.",
});

/** The argument that selects lines by their origin. */
export function streamsArg() {
  return builder.args((t) => ({
    streams: t.field({
      type: [LogStreamEnum],
      description: "Only lines of these origins; an empty list matches nothing.",
    }),
  }));
}
