import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { ChangesetRef, changesetLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { itemTypeName, RUN_EVENT_REFS } from "../run/run-event.ts";
import { type Broken, unbroken } from "../stream/stream-failure.ts";
import { CursorExpiredRef, StreamCheckpointRef, StreamItemRef } from "../stream/stream-item.ts";
import { ChangesetChangedRef } from "../workspace/changeset-event.ts";
import { type AnyFeedItem, openFeed } from "../workspace/feed-stream.ts";
import type { HealthChanged, WorkspaceChanged } from "../workspace/workspace-event.ts";

interface Snapshot {
  type: "ChangesetSnapshot";
  cursor: string;
  changeset: SeenChangeset;
}

const ChangesetSnapshotRef = builder.objectRef<Snapshot>("ChangesetSnapshot").implement({
  description:
    "The changeset at the beginning of the stream. Later items may repeat changes that it has already; none is missing.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    changeset: t.field({
      type: ChangesetRef,
      description: "The changeset.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ changeset }) => changeset,
    }),
  }),
});

type ChangesetFeedItem = Exclude<AnyFeedItem, WorkspaceChanged | HealthChanged>;
type ChangesetStreamItem = Snapshot | ChangesetFeedItem;

const ChangesetStreamItemRef = builder.unionType("ChangesetStreamItem", {
  description: "An item of the stream of one changeset and its runs.",
  types: [ChangesetSnapshotRef, ChangesetChangedRef, ...RUN_EVENT_REFS, StreamCheckpointRef, CursorExpiredRef],
  resolveType: itemTypeName,
});

/** Reads the changeset again, without the loaders' earlier results. */
async function changesetNow({ loaders }: GraphqlContext, changesetId: string): Promise<SeenChangeset> {
  loaders.clear();
  const changeset = await loaders.load(changesetLoader, changesetId);
  if (changeset === null) throw notFoundError("changeset");
  return changeset;
}

async function openEvents(
  context: GraphqlContext,
  changesetId: string,
  after: string | null,
): Promise<AsyncIterableIterator<ChangesetStreamItem | Broken>> {
  const { tails } = context;
  const { organizationId } = await changesetNow(context, changesetId);
  return openFeed<Snapshot, ChangesetFeedItem>(context, after, {
    subjectId: changesetId,
    has: (item): item is ChangesetFeedItem =>
      !("type" in item && (item.type === "WorkspaceChanged" || item.type === "HealthChanged")),
    tail: (...begin) => tails.changesetFeed({ id: changesetId, organizationId }, ...begin),
    begin: async (cursors) => {
      // The position is read first: a change between the two reads is sent, and may be in the snapshot as well.
      const from = await tails.feedNow(organizationId);
      const changeset = await changesetNow(context, changesetId);
      const item: Snapshot = { type: "ChangesetSnapshot", cursor: cursors.write(from, from.at), changeset };
      return { from, first: { item, access: { permission: "RUN_READ", place: changeset.place } } };
    },
  });
}

builder.subscriptionField("changesetEvents", (t) =>
  t.field({
    extensions: requiredPermissions("RUN_READ"),
    type: ChangesetStreamItemRef,
    description:
      "Streams the changes of one changeset, and of those of its runs that the caller may read, in commit order, each exactly once. Without `after` it begins with a ChangesetSnapshot. With the cursor of an earlier item it continues after that item. It never completes on its own.",
    args: {
      changesetId: t.arg.id({ required: true, description: "The changeset." }),
      after: t.arg.string({ description: "The cursor of an earlier item of this stream." }),
    },
    subscribe: (_root, { changesetId, after }, context) => openEvents(context, changesetId, after ?? null),
    resolve: unbroken,
  }),
);
