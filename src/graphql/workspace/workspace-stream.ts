import type { Workspace } from "../../model/workspace/workspace.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError } from "../kit/errors.ts";
import { type AnyFeedItem, feedCursor, openFeed } from "./feed-stream.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import {
  ApprovalRecordedRef,
  eventTypeName,
  PhaseChangedRef,
  PlanReadyRef,
  RunChangedRef,
  RunStatusChangedRef,
} from "../run/run-event.ts";
import { type Broken, unbroken } from "../stream/stream-failure.ts";
import { CursorExpiredRef, StreamCheckpointRef, StreamItemRef } from "../stream/stream-item.ts";
import { WorkspaceChangedRef } from "./workspace-event.ts";

interface Snapshot {
  type: "WorkspaceSnapshot";
  cursor: string;
  workspace: Workspace;
}

const WorkspaceSnapshotRef = builder.objectRef<Snapshot>("WorkspaceSnapshot").implement({
  description: "The workspace as it was when the stream began; what follows may be in it already, and none is missing.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    workspace: t.field({ type: WorkspaceRef, description: "The workspace.", resolve: ({ workspace }) => workspace }),
  }),
});

type WorkspaceStreamItem = Snapshot | AnyFeedItem;

const WorkspaceStreamItemRef = builder.unionType("WorkspaceStreamItem", {
  description: "What a stream of one workspace and its runs consists of.",
  types: [
    WorkspaceSnapshotRef,
    WorkspaceChangedRef,
    RunStatusChangedRef,
    RunChangedRef,
    PhaseChangedRef,
    PlanReadyRef,
    ApprovalRecordedRef,
    StreamCheckpointRef,
    CursorExpiredRef,
  ],
  resolveType: (item) => ("event" in item ? eventTypeName(item) : item.type),
});

/** The workspace as it is now, past all that was read before. */
async function workspaceNow({ loaders }: GraphqlContext, workspaceId: string): Promise<Workspace> {
  loaders.clear();
  const workspace = await loaders.workspace.load(workspaceId);
  if (workspace === null) throw notFoundError("workspace");
  return workspace;
}

async function openEvents(
  context: GraphqlContext,
  workspaceId: string,
  after: string | null,
): Promise<AsyncIterableIterator<WorkspaceStreamItem | Broken>> {
  const { tails, loaders, place } = context;
  // Whoever goes on where it was does so also when the workspace is gone: what happened to it is still to be told.
  const workspace = place?.from
    ? await loaders.workspaceEver.load(workspaceId)
    : await workspaceNow(context, workspaceId);
  if (workspace === null) throw notFoundError("workspace");
  const { organizationId } = workspace;
  return openFeed<Snapshot>(context, after, {
    subjectId: workspaceId,
    tail: (from, resumed, onIdle) => tails.workspaceFeed({ id: workspaceId, organizationId }, from, resumed, onIdle),
    begin: async () => {
      // The place first: what happens between the two reads is told, and may be in the snapshot as well.
      const from = await tails.feedNow(organizationId);
      const workspace = await workspaceNow(context, workspaceId);
      return { from, first: { type: "WorkspaceSnapshot", cursor: feedCursor(workspaceId, from), workspace } };
    },
  });
}

builder.subscriptionField("workspaceEvents", (t) =>
  t.field({
    extensions: asksFor("workspace:read"),
    type: WorkspaceStreamItemRef,
    description:
      "Changes of one workspace and of all its runs, in the order of their commits, none lost, none twice. Without `after`: a WorkspaceSnapshot, then what follows. With the cursor of an earlier item: everything after it, then live. Never completes by itself.",
    args: {
      workspaceId: t.arg.id({ required: true, description: "The workspace." }),
      after: t.arg.string({ description: "The cursor of an earlier item of this stream." }),
    },
    subscribe: (_root, { workspaceId, after }, context) => openEvents(context, workspaceId, after ?? null),
    resolve: unbroken,
  }),
);
