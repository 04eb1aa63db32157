import type { LogStream } from "../../model/log/log.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const LogStreamEnum = describedEnum<LogStream>("LogStream", "Who wrote a line of a log.", {
  STDOUT: "The engine, a provisioner, a task or a hook, on its standard output.",
  STDERR: "The same, on its standard error.",
  RUNNER: "The runner itself.",
});

/** The argument that chooses lines by who wrote them. */
export function streamsArg() {
  return builder.args((t) => ({
    streams: t.field({
      type: [LogStreamEnum],
      description: "Only lines that these wrote; an empty list matches nothing.",
    }),
  }));
}
