import { idKind } from "../../model/kit/id.ts";
import type { QuietRun } from "../../bus/tails.ts";
import type { RunEvent } from "../../model/run/run-event.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { numberPosition, readCursor, writeCursor } from "../kit/cursor.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import { itemStream } from "../stream/item-stream.ts";
import { RunRef } from "../kit/refs.ts";
import { type AnyRunEventItem, eventsOfRun, itemTypeName, RUN_EVENT_REFS, toEventItem } from "./run-event.ts";
import {
  type Checkpoint,
  CursorExpiredRef,
  type Expired,
  expired,
  StreamCheckpointRef,
  StreamItemRef,
} from "../stream/stream-item.ts";
import { type Broken, broken, unbroken } from "../stream/stream-failure.ts";
import { idleListener, NO_EPOCH } from "../kit/stream-position.ts";

interface Snapshot {
  type: "RunSnapshot";
  cursor: string;
  run: Run;
}

const RunSnapshotRef = builder.objectRef<Snapshot>("RunSnapshot").implement({
  description: "The run at the beginning of the stream. All later items are newer.",
  interfaces: [StreamItemRef],
  fields: (t) => ({ run: t.field({ type: RunRef, description: "The run.", resolve: ({ run }) => run }) }),
});

type RunStreamItem = Snapshot | AnyRunEventItem | Checkpoint | Expired;

const RunStreamItemRef = builder.unionType("RunStreamItem", {
  description: "An item of the stream of one run.",
  types: [RunSnapshotRef, ...RUN_EVENT_REFS, StreamCheckpointRef, CursorExpiredRef],
  resolveType: itemTypeName,
});

/** Reads the run again, without the loaders' earlier results. */
export async function runNow({ caller, domain }: GraphqlContext, runId: string): Promise<Run> {
  const [run] = idKind(runId) === "run" ? await domain.runs(caller, [runId]) : [];
  if (run === null || run === undefined) throw notFoundError("run");
  return run;
}

async function openEvents(
  context: GraphqlContext,
  runId: string,
  after: string | null,
): Promise<AsyncIterableIterator<RunStreamItem | Broken>> {
  const { streamPosition } = context;
  if (streamPosition?.start)
    return follow(context, runId, { first: [], position: streamPosition.start.position, resumed: false });
  const run = await runNow(context, runId);
  const list = eventsOfRun(context, run.id);
  const position = after === null ? run.version : readCursor(list, after, numberPosition);
  // A cursor ahead of the run comes from a database that was restored since.
  const isExpired = position === null || position > run.version;
  const first: RunStreamItem[] = [];
  if (isExpired) first.push(expired());
  else if (after === null) {
    first.push({ type: "RunSnapshot", cursor: writeCursor(list, run.version), run });
  }
  const isOver = isExpired || (isTerminal(run.status) && position >= run.version);
  return follow(context, run.id, { first, position: isOver ? null : position, resumed: after !== null });
}

/** Reads the events after a position. `null` if there are none. */
function follow(
  context: GraphqlContext,
  runId: string,
  { first, position, resumed }: { first: RunStreamItem[]; position: number | null; resumed: boolean },
): AsyncIterableIterator<RunStreamItem | Broken> {
  const { tails, loaders, streamPosition } = context;
  const list = eventsOfRun(context, runId);
  if (streamPosition !== undefined && position !== null) streamPosition.current = { epoch: NO_EPOCH, position };
  return itemStream<RunEvent | QuietRun, RunStreamItem | Broken>({
    first,
    tail: position === null ? null : tails.runEvents(runId, position, resumed, idleListener(streamPosition, NO_EPOCH)),
    streamPosition,
    positionOf: ({ version }) => ({ epoch: NO_EPOCH, position: version }),
    toItem: (row) =>
      row.type === "QUIET"
        ? { type: "StreamCheckpoint", cursor: writeCursor(list, row.version), at: row.at }
        : toEventItem(row, writeCursor(list, row.version)),
    toFailure: broken,
    beforeItem: () => loaders.clear(),
  });
}

builder.subscriptionField("runEvents", (t) =>
  t.field({
    extensions: requiredPermissions("RUN_READ"),
    type: RunStreamItemRef,
    description:
      "Streams the changes of one run in order, each exactly once. Without `after` it begins with a RunSnapshot. With the cursor of an earlier item it continues after that item. It completes after the event that ends the run.",
    args: {
      runId: t.arg.id({ required: true, description: "The run." }),
      after: t.arg.string({ description: "The cursor of an earlier item, or of an edge of `Run.events`." }),
    },
    subscribe: (_root, { runId, after }, context) => openEvents(context, runId, after ?? null),
    resolve: unbroken,
  }),
);
