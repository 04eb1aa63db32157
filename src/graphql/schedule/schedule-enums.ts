import type { Misfire, ScheduledAction } from "../../model/schedule/schedule.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const ScheduledActionEnum = describedEnum<ScheduledAction>("ScheduledAction", "The action of a schedule.", {
  RUN: "Deploys the current source of each workspace.",
  RECONCILE:
    "Deploys the source that was applied last, to undo what changed since. Gates and `autoApply` are those of the workspace.",
  DETECT_DRIFT:
    "Plans the source that was applied last. `Workspace.drift` has what differs. Workspaces with a live run are left out.",
  PROMOTE:
    "Promotes to a stage of a pipeline, for each repository, the newest changeset of the stage before, if it has soaked and comes from a branch.",
  DESTROY: "Destroys what each workspace manages. The gates of the workspace ask for approval.",
  TASK: "Executes a command in each workspace that allows tasks.",
});

export const MisfireEnum = describedEnum<Misfire>(
  "Misfire",
  "The treatment of due times that passed while no server was up.",
  {
    ONCE: "The last of them is made up for; the others are dropped.",
    SKIP: "All of them are dropped.",
  },
);
