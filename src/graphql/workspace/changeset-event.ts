import type { ChangesetChange, ChangesetEvent } from "../../model/run/changeset-event.ts";
import { GateEnum } from "../approval/approval.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { notFoundError, present } from "../kit/errors.ts";
import { ChangesetRef, changesetLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { StreamItemRef } from "../stream/stream-item.ts";

/** A change of a changeset with its position in a stream. */
export interface ChangesetChanged {
  type: "ChangesetChanged";
  cursor: string;
  change: ChangesetEvent;
}

const ChangesetChangeEnum = describedEnum<ChangesetChange>(
  "ChangesetChange",
  "A change of a changeset as a whole, or of some of its runs at once.",
  {
    CREATED: "It was opened. Its runs are created afterwards.",
    HELD: "The creation of its runs waits for `continueChangeset`, because there are so many.",
    CONTINUED: "`continueChangeset` let the creation of its runs begin.",
    APPROVED: "`approveChangeset` began to approve its plans at a gate.",
    DISCARDED: "`discardChangeset` began to end its runs.",
    RUN_NOT_CREATED: "Runs could not be created.",
    SUPERSEDED: "Runs of a changeset of a newer commit took the place of runs of this one.",
    APPLIED: "All that had changes were applied. Sent to callers who may read all of its runs.",
    REOPENED: "It was applied, and a run of it is tried again. Sent to callers who may read all of its runs.",
  },
);

/** Ends the stream if all workspaces that the reader could see were deleted before the event was sent. */
function gone(): never {
  throw notFoundError("changeset");
}

export const ChangesetChangedRef = builder.objectRef<ChangesetChanged>("ChangesetChanged").implement({
  description: "A change of a changeset. Changes of its runs are events of the runs.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When it happened.", resolve: ({ change }) => change.at }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that caused it.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, change.actorId), `Actor ${change.actorId}`),
    }),
    change: t.field({
      type: ChangesetChangeEnum,
      description: "The change.",
      resolve: ({ change }) => change.change,
    }),
    gate: t.field({
      type: GateEnum,
      nullable: true,
      description: "The gate of APPROVED. `null` for other changes.",
      resolve: ({ change }) => change.gate,
    }),
    changesetId: t.id({ description: "The id of the changeset.", resolve: ({ change }) => change.changesetId }),
    changeset: t.field({
      type: ChangesetRef,
      description: "The changeset as it is now.",
      extensions: LEAVES_WORKSPACE,
      resolve: async ({ change }, _args, { loaders }) =>
        (await loaders.load(changesetLoader, change.changesetId)) ?? gone(),
    }),
  }),
});
