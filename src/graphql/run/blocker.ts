import type { BlockerKind } from "../../model/admission/blocker-kind.ts";
import { ESTIMATE_BY_RUNS, ESTIMATE_FROM_RUNS } from "../../model/admission/start-estimate.ts";
import { BlockerRef, RunRef } from "../kit/refs.ts";
import { describedEnum } from "../kit/described-enum.ts";

const BlockerKindEnum = describedEnum<BlockerKind>(
  "BlockerKind",
  "What is in the way of a run.",
  {
    WORKSPACE_BUSY: "Another run has the workspace: wait for `run` to end, or cancel it.",
    WORKSPACE_LOCKED: "The workspace is locked: unlock it when what it was locked for is done.",
    WORKSPACE_PAUSED: "The workspace is paused: resume it.",
    ORGANIZATION_LIMIT: "As many runs as the organization allows occupy a runner: wait, or raise its limit.",
    UPSTREAM_RUN: "A run that this one depends on has not ended yet: wait for `run`.",
    NO_RUNNER: "No runner that may take the run is free: wait, or start one; the message says what is missing.",
    FREEZE_WINDOW: "Changes are frozen at this time: wait for the end of the window.",
    SCHEDULED_AT: "The time for which the run is scheduled has not come: wait.",
  },
  ["UPSTREAM_RUN"],
);

BlockerRef.implement({
  description: "One reason why a run waits.",
  fields: (t) => ({
    kind: t.expose("kind", { type: BlockerKindEnum, description: "What is in the way." }),
    message: t.exposeString("message", { description: "The same for a person, with names and numbers." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that is waited for, or whose interrupted apply locked the workspace.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.run.load(runId)),
    }),
    since: t.expose("since", { type: "DateTime", description: "Since when this is in the way." }),
    position: t.exposeInt("position", {
      nullable: true,
      description: "Place in the queue, from 1; null where there is no queue.",
    }),
    until: t.expose("until", {
      type: "DateTime",
      nullable: true,
      description:
        "When it ends by itself: of a freeze window, of a lock with an expiry, or the time for which the run is scheduled.",
    }),
    estimatedStartAt: t.expose("estimatedStartAt", {
      type: "DateTime",
      nullable: true,
      description: `When the run will begin, by the median of the last ${ESTIMATE_BY_RUNS} that went before; null with fewer than ${ESTIMATE_FROM_RUNS}, and where a person decides.`,
    }),
  }),
});
