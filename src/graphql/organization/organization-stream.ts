import { organizationLoader } from "../kit/refs.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import { type AnyFeedItem, openFeed, toCheckpoint } from "../workspace/feed-stream.ts";
import { itemTypeName, RUN_EVENT_REFS } from "../run/run-event.ts";
import { type Broken, unbroken } from "../stream/stream-failure.ts";
import { type Checkpoint, CursorExpiredRef, StreamCheckpointRef } from "../stream/stream-item.ts";
import { ChangesetChangedRef } from "../workspace/changeset-event.ts";
import { HealthChangedRef, WorkspaceChangedRef } from "../workspace/workspace-event.ts";

const OrganizationStreamItemRef = builder.unionType("OrganizationStreamItem", {
  description: "An item of the stream of all workspaces and changesets of an organization.",
  types: [
    WorkspaceChangedRef,
    HealthChangedRef,
    ChangesetChangedRef,
    ...RUN_EVENT_REFS,
    StreamCheckpointRef,
    CursorExpiredRef,
  ],
  resolveType: itemTypeName,
});

async function openEvents(
  context: GraphqlContext,
  organizationId: string,
  after: string | null,
): Promise<AsyncIterableIterator<AnyFeedItem | Broken>> {
  const { tails, loaders } = context;
  const organization = await loaders.load(organizationLoader, organizationId);
  if (organization === null) throw notFoundError("organization");
  return openFeed<Checkpoint, AnyFeedItem>(context, after, {
    subjectId: organizationId,
    has: (_item): _item is AnyFeedItem => true,
    tail: (...begin) => tails.organizationFeed(organizationId, ...begin),
    begin: async (cursors) => {
      const from = await tails.feedNow(organizationId);
      return { from, first: { item: toCheckpoint(cursors, from), access: null } };
    },
  });
}

builder.subscriptionField("organizationEvents", (t) =>
  t.field({
    extensions: requiredPermissions("ORGANIZATION_READ"),
    type: OrganizationStreamItemRef,
    description:
      "Streams the changes of the workspaces of an organization that the caller may read, of their runs, and of changesets, in commit order, each exactly once. Without `after` it begins with a StreamCheckpoint. With the cursor of an earlier item it continues after that item. It never completes on its own.",
    args: {
      organizationId: t.arg.id({ required: true, description: "The organization." }),
      after: t.arg.string({ description: "The cursor of an earlier item of this stream." }),
    },
    subscribe: (_root, { organizationId, after }, context) => openEvents(context, organizationId, after ?? null),
    resolve: unbroken,
  }),
);
