import type { LogLine, LogStream } from "../../model/log/log.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Phase } from "../../model/run/phase.ts";
import { builder } from "../kit/builder.ts";
import { inEpoch, numberPosition } from "../kit/cursor.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError } from "../kit/errors.ts";
import { loaderOf } from "../kit/loader.ts";
import { LogSpanRef } from "./log-span.ts";
import { LogStreamEnum, streamsArg } from "./log-stream-enum.ts";
import { PhaseKindEnum } from "./phase-kind.ts";
import { LogLineRef } from "../kit/refs.ts";

/** The numbers of the lines of the logs of runs. */
export const logExtentLoader = loaderOf((domain, caller, ids) => domain.logExtents(caller, ids));

/** The number of lines of a page if the caller gives none. */
const DEFAULT_LINES = 1000;
/** A line is a small part of a row: a page of 100 costs as much as one object. */
const LINES_PER_POINT = 100;

LogLineRef.implement({
  description: "One line of a run's log, with secrets masked.",
  fields: (t) => ({
    number: t.exposeInt("number", { description: "The number within the run, from 1, without gaps." }),
    at: t.expose("at", { type: "DateTime", description: "When the line was written." }),
    phase: t.expose("phase", { type: PhaseKindEnum, description: "The phase that wrote the line." }),
    attempt: t.exposeInt("attempt", { description: "The attempt of that phase, from 1." }),
    stream: t.expose("stream", { type: LogStreamEnum, description: "The origin of the line." }),
    text: t.exposeString("text", { description: "The text of the line, without the line break." }),
    spans: t.field({
      type: [LogSpanRef],
      description: "The colored parts of the text, in order. Masks and searches work on the text alone.",
      resolve: ({ spans = [] }) => spans,
    }),
  }),
});

const LogLineEdgeRef = edgeRef<LogLine>("LogLine", "log line");
export const LogLineConnectionRef = connectionRef<LogLine>("LogLine", "A page of a log, in the order of the lines.");
builder.objectField(LogLineEdgeRef, "node", (t) => t.expose("node", { type: LogLineRef, description: "The line." }));
builder.objectField(LogLineConnectionRef, "edges", (t) =>
  t.field({ type: [LogLineEdgeRef], description: "The lines.", resolve: (connection) => connection.edges }),
);

/** The arguments of a log field. */
export function logArgs() {
  const from = builder.args((t) => ({
    from: t.int({
      description:
        "The number in the run's log of the first line that may be in the page, from 1; an alternative to `after`. Behind the end of the log the page is empty.",
    }),
  }));
  return { ...pageArgs(LIMITS.logPageSize, DEFAULT_LINES, LINES_PER_POINT), ...streamsArg(), ...from };
}

type LogArguments = PageArguments & {
  streams?: readonly LogStream[] | null | undefined;
  from?: number | null | undefined;
};

/** Checks `from`. Returns the number of the line before it, or what `after` gave. */
function lineBefore({ from = null, after = null }: LogArguments, position: number | null): number | null {
  if (from === null) return position;
  if (after !== null) throw inputError([{ path: ["from"], message: "Give `from` or `after`, not both." }]);
  if (from < 1) throw inputError([{ path: ["from"], message: "Must be 1 or more." }]);
  return from === 1 ? null : from - 1;
}

/** Names the log of a run or a phase within cursors. The log and the stream of a run share their cursors. */
export function logOf(context: Pick<GraphqlContext, "epoch">, id: string): string {
  return inEpoch(context, `log of ${id}`);
}

/** Reads a page of the log of a run, or of one of its phases. */
export async function readLog(
  context: GraphqlContext,
  runId: string,
  phase: Phase | null,
  args: LogArguments,
): Promise<Connection<LogLine>> {
  const { caller, domain } = context;
  const name = logOf(context, phase?.id ?? runId);
  const list = { name, position: numberPosition, max: LIMITS.logPageSize, size: DEFAULT_LINES };
  const page = toPageRequest(args, list);
  const request = { ...page, after: lineBefore(args, page.after) };
  const only = {
    phase: phase === null ? null : { kind: phase.kind, attempt: phase.attempt },
    streams: args.streams ?? null,
  };
  return toConnection(name, await domain.listLogLines(caller, runId, only, request), (line) => line.number);
}
