import { idKind } from "../../model/kit/id.ts";
import type { QuietRun } from "../../bus/tails.ts";
import type { RunEvent } from "../../model/run/run-event.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { type Place, placeOf } from "../../model/people/place.ts";
import type { Run } from "../../model/run/run.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { numberPosition, readCursor, writeCursor } from "../kit/cursor.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import { audienceOf } from "../stream/audience.ts";
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
import { idleListener, NO_EPOCH, type RowAccess } from "../kit/stream-position.ts";

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

/** The access to the rows of a run: a source that is shared takes the place as it was read last. */
export function accessOfRun({ streamPosition }: GraphqlContext, place: Place): () => RowAccess {
  if (streamPosition !== undefined) streamPosition.place = place;
  return () => ({ permission: "RUN_READ", place: streamPosition?.place ?? place });
}

async function openEvents(
  context: GraphqlContext,
  runId: string,
  after: string | null,
): Promise<AsyncIterableIterator<RunStreamItem | Broken>> {
  const { streamPosition } = context;
  if (streamPosition?.start && streamPosition.place !== null) {
    const { start, place } = streamPosition;
    return follow(context, runId, { first: [], position: start.position, resumed: false, place });
  }
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
  return follow(context, run.id, {
    first,
    position: isOver ? null : position,
    resumed: after !== null,
    place: placeOf(run),
  });
}

interface Beginning {
  first: RunStreamItem[];
  /** `null`: no event follows. */
  position: number | null;
  resumed: boolean;
  place: Place;
}

/** Reads the events after a position. */
function follow(
  context: GraphqlContext,
  runId: string,
  { first, position, resumed, place }: Beginning,
): AsyncIterableIterator<RunStreamItem | Broken> {
  const { tails, streamPosition } = context;
  const list = eventsOfRun(context, runId);
  const audience = audienceOf(context);
  const accessOf = accessOfRun(context, place);
  const onIdle = idleListener(streamPosition, NO_EPOCH);
  if (streamPosition !== undefined && position !== null) streamPosition.current = { epoch: NO_EPOCH, position };
  return itemStream<RunEvent | QuietRun, RunStreamItem | Broken>({
    first: first.map((item) => ({ item, access: "run" in item ? accessOf() : null })),
    tail: position === null ? null : tails.runEvents(runId, position, resumed, onIdle, audience.admit),
    accessOf: ({ type }) => (type === "QUIET" ? null : accessOf()),
    audience,
    streamPosition,
    positionOf: ({ version }) => ({ epoch: NO_EPOCH, position: version }),
    toItem: (row) =>
      row.type === "QUIET"
        ? { type: "StreamCheckpoint", cursor: writeCursor(list, row.version), at: row.at }
        : toEventItem(row, writeCursor(list, row.version)),
    toFailure: broken,
    beforeItem: audience.enter,
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
