import { pastWorkspaceLoader } from "./workspace.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import type { ChangesetChanged } from "./changeset-event.ts";
import { type AnyFeedItem, openFeed } from "./feed-stream.ts";
import { WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { itemTypeName, RUN_EVENT_REFS } from "../run/run-event.ts";
import { type Broken, unbroken } from "../stream/stream-failure.ts";
import { CursorExpiredRef, StreamCheckpointRef, StreamItemRef } from "../stream/stream-item.ts";
import { HealthChangedRef, WorkspaceChangedRef } from "./workspace-event.ts";

interface Snapshot {
  type: "WorkspaceSnapshot";
  cursor: string;
  workspace: Workspace;
}

const WorkspaceSnapshotRef = builder.objectRef<Snapshot>("WorkspaceSnapshot").implement({
  description:
    "The workspace at the beginning of the stream. Later items may repeat changes that it has already; none is missing.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    workspace: t.field({ type: WorkspaceRef, description: "The workspace.", resolve: ({ workspace }) => workspace }),
  }),
});

type WorkspaceFeedItem = Exclude<AnyFeedItem, ChangesetChanged>;
type WorkspaceStreamItem = Snapshot | WorkspaceFeedItem;

const WorkspaceStreamItemRef = builder.unionType("WorkspaceStreamItem", {
  description: "An item of the stream of one workspace and its runs.",
  types: [
    WorkspaceSnapshotRef,
    WorkspaceChangedRef,
    HealthChangedRef,
    ...RUN_EVENT_REFS,
    StreamCheckpointRef,
    CursorExpiredRef,
  ],
  resolveType: itemTypeName,
});

/** Reads the workspace again, without the loaders' earlier results. */
async function workspaceNow({ loaders }: GraphqlContext, workspaceId: string): Promise<Workspace> {
  loaders.clear();
  const workspace = await loaders.load(workspaceLoader, workspaceId);
  if (workspace === null) throw notFoundError("workspace");
  return workspace;
}

async function openEvents(
  context: GraphqlContext,
  workspaceId: string,
  after: string | null,
): Promise<AsyncIterableIterator<WorkspaceStreamItem | Broken>> {
  const { tails, loaders, streamPosition } = context;
  // A stream with a cursor opens even if the workspace was deleted: its last events are still to be sent.
  const workspace = streamPosition?.start
    ? await loaders.load(pastWorkspaceLoader, workspaceId)
    : await workspaceNow(context, workspaceId);
  if (workspace === null) throw notFoundError("workspace");
  const { organizationId } = workspace;
  return openFeed<Snapshot, WorkspaceFeedItem>(context, after, {
    subjectId: workspaceId,
    has: (item): item is WorkspaceFeedItem => !("type" in item && item.type === "ChangesetChanged"),
    tail: (...begin) => tails.workspaceFeed({ id: workspaceId, organizationId }, ...begin),
    begin: async (cursors) => {
      // The position is read first: a change between the two reads is sent, and may be in the snapshot as well.
      const from = await tails.feedNow(organizationId);
      const workspace = await workspaceNow(context, workspaceId);
      const item: Snapshot = { type: "WorkspaceSnapshot", cursor: cursors.write(from, from.at), workspace };
      return { from, first: { item, access: { permission: "WORKSPACE_READ", place: workspacePlace(workspace) } } };
    },
  });
}

builder.subscriptionField("workspaceEvents", (t) =>
  t.field({
    extensions: requiredPermissions("WORKSPACE_READ"),
    type: WorkspaceStreamItemRef,
    description:
      "Streams the changes of one workspace and its runs in commit order, each exactly once. Without `after` it begins with a WorkspaceSnapshot. With the cursor of an earlier item it continues after that item. It never completes on its own.",
    args: {
      workspaceId: t.arg.id({ required: true, description: "The workspace." }),
      after: t.arg.string({ description: "The cursor of an earlier item of this stream." }),
    },
    subscribe: (_root, { workspaceId, after }, context) => openEvents(context, workspaceId, after ?? null),
    resolve: unbroken,
  }),
);
