/** The state of shared streams. README.md has the life of a source and the invariants. */
import type { ExecutionResult } from "graphql";
import type { Actor } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Place } from "../../model/people/place.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { RowAccess, StreamPosition } from "../kit/stream-position.ts";
import type { DocumentFacts } from "./document-facts.ts";
import type { OperationRequest } from "./operation.ts";
import type { ReaderGroups } from "./reader-groups.ts";
import type { StreamFacts } from "./stream-transport.ts";
import { type ReaderGroup, type View, viewOf } from "./stream-view.ts";

/** The subscriptions of one identity (`identityOf`): equal requests, by callers with any rights. */
export interface Operation<Subscriber> {
  key: string;
  /** A request that could be opened. Sources that are opened later use it; its beginning is then ignored. */
  request: OperationRequest;
  document: DocumentFacts;
  /** The actor of its executions, if a field depends on that. */
  actor: Actor;
  groups: ReaderGroups;
  facts: StreamFacts;
  readers: number;
  /** The place of the subject, as it was read last; `null` if its rows have places of their own. */
  place: Place | null;
  /** The source that readers may join. `null` if each has its own. */
  shared: Source<Subscriber> | null;
}

export interface StreamReader<Subscriber> {
  readonly operation: Operation<Subscriber>;
  readonly subscriber: Subscriber;
  /** The caller with the rights that were checked last. */
  caller: ActorCaller;
  group: ReaderGroup;
  /** `null` while the reader waits until its socket is empty. */
  source: Source<Subscriber> | null;
  /** The position up to which the reader has all items, if it is ahead of its source; else `null`. */
  deliveredTo: number | null;
  hasLeft: boolean;
}

/** One execution, with the readers that get its items. */
export interface Source<Subscriber> {
  operation: Operation<Subscriber>;
  streamPosition: StreamPosition;
  items: AsyncIterableIterator<ExecutionResult> | null;
  readers: Set<StreamReader<Subscriber>>;
  /** The groups of its readers; `null` if a reader came or left since they were collected. */
  groups: ReadonlySet<ReaderGroup> | null;
  /** The version of rights by which its newest page was read. Only readers whose rights are as new get its rows. */
  accessVersion: number;
  /** The views of the row that is executed; `null` between two rows. */
  row: RowViews | null;
  /** The position up to which its readers have all items. `null` if it is not known. */
  delivered: FeedPosition | null;
  closed: boolean;
}

/** The views of one row, each executed once. */
interface RowViews {
  callers: readonly ActorCaller[];
  /** The index of the view that each group has. A group without one may not see the row. `null`: all have the first. */
  indexes: ReadonlyMap<ReaderGroup, number> | null;
}

/** The caller for whom an item is executed that shows nothing: a checkpoint, or the end. */
const NO_ONE: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: "",
  actor: { id: "", kind: "SYSTEM", name: "anonymous" },
  rights: { everywhere: { low: 0, high: 0 }, organizations: new Map(), projects: new Map(), workspaces: new Map() },
  accessVersion: { version: 0, moves: 0 },
};

/** Finds the different views that the readers of a source have of a row. `null`: a row that shows nothing. */
export function viewsOf<Subscriber>(source: Source<Subscriber>, access: RowAccess | null): RowViews {
  if (access === null) return { callers: [NO_ONE], indexes: null };
  const { document, actor } = source.operation;
  source.groups ??= new Set(Array.from(source.readers, ({ group }) => group));
  const views = new Map<string, { view: View; index: number }>();
  const indexes = new Map<ReaderGroup, number>();
  for (const group of source.groups) {
    const view = viewOf(group, access, document, actor);
    if (view === null) continue;
    const known = views.get(view.key) ?? { view, index: views.size };
    views.set(view.key, known);
    indexes.set(group, known.index);
  }
  return { callers: Array.from(views.values(), ({ view }) => view.caller), indexes };
}

/** Returns the payload of the view that a reader has of the row; `null` if it may not see the row. */
export function payloadOf<Payload>(
  row: RowViews,
  payloads: readonly Payload[],
  { group }: Pick<StreamReader<unknown>, "group">,
): Payload | null {
  const index = row.indexes === null ? 0 : row.indexes.get(group);
  return index === undefined ? null : (payloads[index] ?? null);
}
