import { loaderOf } from "../kit/loader.ts";
import type { LogLine, LogStream } from "../../model/log/log.ts";
import { type Place, placeOf } from "../../model/people/place.ts";
import type { PhaseKind } from "../../model/run/phase.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { numberPosition, readCursor, writeCursor } from "../kit/cursor.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError } from "../kit/errors.ts";
import { audienceOf } from "../stream/audience.ts";
import { itemStream } from "../stream/item-stream.ts";
import { logOf } from "../plan/log.ts";
import { streamsArg } from "../plan/log-stream-enum.ts";
import { PhaseKindEnum } from "../plan/phase-kind.ts";
import { LogLineRef } from "../kit/refs.ts";
import { accessOfRun, runNow } from "./run-stream.ts";
import { type Broken, broken, unbroken } from "../stream/stream-failure.ts";
import { idleListener, NO_EPOCH } from "../kit/stream-position.ts";
import { CursorExpiredRef, type Expired, expired, StreamItemRef } from "../stream/stream-item.ts";

export const logExpiredAtLoader = loaderOf((domain, caller, ids) => domain.logExpiries(caller, ids));

interface Batch {
  type: "LogBatch";
  cursor: string;
  lines: LogLine[];
}
type LogStreamItem = Batch | Expired;

const LogBatchRef = builder.objectRef<Batch>("LogBatch").implement({
  description: "Lines of a log, in order.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    lines: t.field({ type: [LogLineRef], description: "The lines; at least one.", resolve: ({ lines }) => lines }),
  }),
});

const LogStreamItemRef = builder.unionType("LogStreamItem", {
  description: "An item of the stream of a log.",
  types: [LogBatchRef, CursorExpiredRef],
  resolveType: ({ type }) => type,
});

interface LogStreamArguments {
  runId: string;
  after: string | null;
  tail: number | null;
  phases: readonly PhaseKind[] | null;
  streams: readonly LogStream[] | null;
}

function check({ after, tail }: LogStreamArguments): void {
  if (tail === null) return;
  if (tail < 0) throw inputError([{ path: ["tail"], message: "Must be 0 or more." }]);
  if (after !== null) throw inputError([{ path: ["tail"], message: "Give `after` or `tail`, not both." }]);
}

/** Returns the number of the last line before the stream begins. `null` if the cursor is not valid here. */
async function beginning(context: GraphqlContext, runId: string, args: LogStreamArguments): Promise<number | null> {
  if (args.after === null && args.tail === null) return 0;
  const last = await context.tails.lastLogLine(runId);
  if (args.after === null) return Math.max(0, last - (args.tail ?? 0));
  const position = readCursor(logOf(context, runId), args.after, numberPosition);
  if (position === null || position > last) return null;
  // The lines after the cursor are no longer kept.
  return position < last && (await context.loaders.load(logExpiredAtLoader, runId)) !== null ? null : position;
}

async function openLog(
  context: GraphqlContext,
  args: LogStreamArguments,
): Promise<AsyncIterableIterator<LogStreamItem | Broken>> {
  const { streamPosition } = context;
  if (streamPosition?.start && streamPosition.place !== null) {
    return follow(context, args, { begin: streamPosition.start.position, place: streamPosition.place });
  }
  const run = await runNow(context, args.runId);
  check(args);
  return follow(context, args, { begin: await beginning(context, run.id, args), place: placeOf(run) });
}

function follow(
  context: GraphqlContext,
  { runId, phases, streams }: LogStreamArguments,
  { begin, place }: { begin: number | null; place: Place },
): AsyncIterableIterator<LogStreamItem | Broken> {
  const { tails, streamPosition } = context;
  const list = logOf(context, runId);
  const audience = audienceOf(context);
  const onIdle = idleListener(streamPosition, NO_EPOCH);
  if (streamPosition !== undefined && begin !== null) streamPosition.current = { epoch: NO_EPOCH, position: begin };
  return itemStream<LogLine[], LogStreamItem | Broken>({
    first: begin === null ? [{ item: expired(), access: null }] : [],
    tail: begin === null ? null : tails.runLog(runId, begin, onIdle, audience.admit),
    accessOf: accessOfRun(context, place),
    audience,
    streamPosition,
    positionOf: (rows) => {
      const last = rows.at(-1);
      return last === undefined ? null : { epoch: NO_EPOCH, position: last.number };
    },
    toItem: (rows) => {
      const last = rows.at(-1);
      const isWanted = ({ phase, stream }: LogLine): boolean =>
        (phases === null || phases.includes(phase)) && (streams === null || streams.includes(stream));
      const lines = rows.filter(isWanted);
      if (last === undefined || lines.length === 0) return null;
      return { type: "LogBatch", cursor: writeCursor(list, last.number), lines };
    },
    toFailure: broken,
    // A batch holds only lines and loads nothing: clearing the loaders would take a tenth of its time.
    beforeItem: () => {},
  });
}

builder.subscriptionField("runLog", (t) =>
  t.field({
    extensions: requiredPermissions("RUN_READ"),
    type: LogStreamItemRef,
    description:
      "Streams the log lines of one run in order and in batches, from the first line, and resumes as `runEvents` does. With `phases` or `streams` the numbers have gaps. The stream completes after the last line of a run that has ended.",
    args: {
      runId: t.arg.id({ required: true, description: "The run." }),
      after: t.arg.string({ description: "The cursor of an earlier batch, or of an edge of `Run.log`." }),
      tail: t.arg.int({ description: "The number of lines before the end to begin with; not together with `after`." }),
      phases: t.arg({
        type: [PhaseKindEnum],
        description: "Only lines of these phases; an empty list matches nothing.",
      }),
      ...streamsArg(),
    },
    subscribe: (_root, { runId, after = null, tail = null, phases = null, streams = null }, context) =>
      openLog(context, { runId, after, tail, phases, streams }),
    resolve: unbroken,
  }),
);
