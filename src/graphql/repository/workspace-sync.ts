import type { ShownSync } from "../../domain/repository/repository-queries.ts";
import type { SyncState } from "../../model/workspace/workspace-sync.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { loaderOf } from "../kit/loader.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { SourceInputsRef } from "../run/source-inputs.ts";

const syncLoader = loaderOf((domain, caller, ids) => domain.workspaceSyncs(caller, ids));

const SyncStateEnum = describedEnum<SyncState>(
  "SyncState",
  "Whether what is applied is what the tracked branch has.",
  {
    AHEAD: "A pull request is applied and not merged.",
    BEHIND:
      "The files that the workspace reads differ, or the last apply did not succeed or was limited to targets: the branch is not applied.",
    IN_SYNC: "The files that the workspace reads are the same.",
    NEVER_APPLIED: "Nothing is applied: no run did, or what was applied was destroyed.",
    UNKNOWN:
      "The source is not a repository of a git host, the branch or the folder does not exist, or the newest commit is not read yet.",
  },
  ["AHEAD"],
);

const WorkspaceSyncRef = builder.objectRef<ShownSync>("WorkspaceSync").implement({
  description:
    "The difference between the applied commit and the tracked branch. Only files that the workspace reads count.",
  fields: (t) => ({
    state: t.expose("state", { type: SyncStateEnum, description: "Whether they are the same." }),
    applied: t.field({
      type: SourceInputsRef,
      nullable: true,
      description:
        "The inputs of the run that was applied last, or found nothing to change. `null` if there is none, or its source was no repository.",
      resolve: ({ appliedInputs }) => appliedInputs,
    }),
    head: t.field({
      type: SourceInputsRef,
      nullable: true,
      description: "The inputs at the newest commit of the tracked branch. `null` if they are not known.",
      resolve: ({ headInputs }) => headInputs,
    }),
    since: t.expose("since", {
      type: "DateTime",
      nullable: true,
      description:
        "Since when the two are what they are: the later one of the end of the apply and the change of the head. `null` if that is not known.",
    }),
  }),
});

builder.objectField(WorkspaceRef, "sync", (t) =>
  t.field({
    type: WorkspaceSyncRef,
    description:
      "Whether what is applied is what the tracked branch has: that of `trigger`, or of the source if pushes start no runs.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(syncLoader, id),
  }),
);
