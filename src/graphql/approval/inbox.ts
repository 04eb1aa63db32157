import type { InboxReading } from "../../domain/run/inbox-queries.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type InboxEntry, INBOX_REASONS, type InboxReason } from "../../model/run/inbox.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { namePosition, writeCursor } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { listCost } from "../kit/list-cost.ts";
import { loaderByKey } from "../kit/loader.ts";
import { toPageRequest } from "../kit/page.ts";
import { RunRef, runLoader } from "../kit/refs.ts";
import { ViewerRef } from "../people/viewer.ts";
import { ApprovalRequirementRef, approvalRequirementsLoader } from "./approval-requirement.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = LIMITS.inboxFailureMs / DAY_MS;

const InboxReasonEnum = describedEnum<InboxReason>(
  "InboxReason",
  "Why a run is in the inbox. A run has the first that applies, in the order of this list.",
  {
    YOUR_APPROVAL: "The run waits at a gate, and the caller can add an approval or an override now.",
    ESCALATED: "The run waits at a gate for longer than its limit, for other people.",
    STATE_UNKNOWN:
      "The apply was interrupted, and the workspace is locked until a person has compared its state with what exists.",
    RECOVERED_STATE: "A state came after its lease had ended, and no person has adopted or discarded it.",
    YOUR_RUN: "The caller created the run, and it waits at a gate for other people, or failed as FAILED describes.",
    OTHERS_APPROVAL: "The run waits at a gate for other people.",
    FAILED: `The run failed or timed out in the last ${DAYS} days, and no newer run of its workspace exists. It was created at most ${LIMITS.runSearchMs / DAY_MS} days before.`,
  },
);

const InboxItemRef = builder.objectRef<InboxEntry>("InboxItem").implement({
  description: "A run that needs a person.",
  fields: (t) => ({
    reason: t.expose("reason", { type: InboxReasonEnum, description: "Why it is in the inbox." }),
    run: t.field({
      type: RunRef,
      description: "The run.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.load(runLoader, runId), `Run ${runId}`),
    }),
    requirement: t.field({
      type: ApprovalRequirementRef,
      nullable: true,
      description:
        "The stage that lacks an approval: one that the caller can approve, if there is one. `null` if the run waits at no gate.",
      extensions: ACTOR_DEPENDENT,
      resolve: async ({ runId }, _args, { loaders }) => {
        const run = await loaders.load(runLoader, runId);
        const stages = run === null ? [] : await loaders.load(approvalRequirementsLoader, run);
        const open = stages.filter(({ current, satisfied }) => current && !satisfied);
        return open.find(({ viewerCanApprove }) => viewerCanApprove) ?? open[0] ?? null;
      },
    }),
    since: t.expose("since", { type: "DateTime", description: "Since when the reason applies." }),
  }),
});

interface StreamPosition {
  streamCursor: string | null;
}

const EdgeRef = edgeRef<InboxEntry>("InboxItem", "item");
const ConnectionRef = connectionRef<InboxEntry, StreamPosition>("Inbox", "A page of an inbox, oldest run first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: InboxItemRef, description: "The item.", resolve: (edge) => edge.node }),
);
builder.objectFields(ConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The items.", resolve: (connection) => connection.edges }),
  streamCursor: t.exposeString("streamCursor", {
    nullable: true,
    description:
      "The cursor of `Subscription.inboxEvents` for the inbox as it was read here. A client that subscribes with it misses nothing since, and one that has subscribed is up to date if the newest item has the same cursor. `null` with `reasons`.",
  }),
}));

/** The items of the caller with one of these reasons. All fields that are asked for at a time share one read and its digest. */
const inboxLoader = loaderByKey<readonly InboxReason[], InboxReading>(
  async (domain, caller, keys) => {
    const { entries, digest } = await domain.readInbox(caller, [...new Set(keys.flat())]);
    return keys.map((reasons) => ({ entries: entries.filter(({ reason }) => reasons.includes(reason)), digest }));
  },
  (reasons) => reasons.toSorted().join(),
);

interface Selection {
  reasons?: readonly InboxReason[] | null | undefined;
}

const readInbox = ({ loaders }: GraphqlContext, { reasons }: Selection): Promise<InboxReading> =>
  loaders.load(inboxLoader, [...new Set(reasons ?? INBOX_REASONS)]);

async function pageOf(
  context: GraphqlContext,
  viewer: ActorCaller,
  args: Selection & { first?: number | null | undefined; after?: string | null | undefined },
): Promise<Connection<InboxEntry> & StreamPosition> {
  const name = `inbox of ${viewer.actor.id}`;
  const request = toPageRequest({ first: args.first, after: args.after }, { name, position: namePosition });
  const { entries, digest } = await readInbox(context, args);
  const items = entries.filter(({ runId }) => request.after === null || runId > request.after);
  return {
    ...toConnection(name, toPage(request, items.slice(0, request.limit + 1)), ({ runId }) => runId),
    streamCursor: (args.reasons ?? null) === null ? writeCursor(name, digest) : null,
  };
}

const reasonsArgs = () =>
  builder.args((t) => ({
    reasons: t.field({
      type: [InboxReasonEnum],
      description: "Only items with one of these reasons; an empty list matches nothing.",
    }),
  }));

builder.objectFields(ViewerRef, (t) => ({
  inbox: t.field({
    type: ConnectionRef,
    extensions: ACTOR_DEPENDENT,
    description: `The runs of all organizations that need a person, as far as the caller may read them, oldest first. At most ${LIMITS.inboxRuns} are considered: those at a gate where the caller has the permission to approve come before all others, then the oldest.`,
    args: {
      ...reasonsArgs(),
      first: t.arg.int({
        extensions: listCost({ max: LIMITS.pageSize, size: LIMITS.defaultPageSize, perPoint: 1 }),
        description: `The number of items; at most ${LIMITS.pageSize}, ${LIMITS.defaultPageSize} by default.`,
      }),
      after: t.arg.string({ description: "Only items that come after the one with this cursor." }),
    },
    resolve: (viewer, args, context) => pageOf(context, viewer, args),
  }),
  inboxCount: t.int({
    extensions: ACTOR_DEPENDENT,
    description: `The number of items of \`inbox\`; at most ${LIMITS.inboxRuns}.`,
    args: reasonsArgs(),
    resolve: async (_viewer, args, context) => (await readInbox(context, args)).entries.length,
  }),
}));
