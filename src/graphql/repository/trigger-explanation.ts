/** Why a change started no run, and what a push would start. */
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { listCost } from "../kit/list-cost.ts";
import { loaderOfFew } from "../kit/loader.ts";
import { TriggerDecisionRef } from "./trigger-decision.ts";

const most = LIMITS.explanationsPerRequest;

const explanationLoader = loaderOfFew(
  (domain, caller, { refChangeId, workspaceId }: { refChangeId: string; workspaceId: string }) =>
    domain.explainTrigger(caller, refChangeId, workspaceId),
  ({ refChangeId, workspaceId }) => `${refChangeId} ${workspaceId}`,
  { most, path: "workspaceId", message: `At most ${most} changes are explained by one request.` },
);

const previewLoader = loaderOfFew(
  (domain, caller, { repositoryId, ...input }: { repositoryId: string; ref: string; commit: string }) =>
    domain.previewTriggers(caller, repositoryId, input),
  ({ repositoryId, ref, commit }) => `${repositoryId} ${commit} ${ref}`,
  { most, path: "commit", message: `At most ${most} pushes are previewed by one request.` },
);

/** The points that it costs to read a repository: of an explanation, and of a preview. */
const ONE = listCost({ max: 1, size: 1, perPoint: 1 / 20 });
const MANY = listCost({ max: LIMITS.previewedWorkspaces, size: LIMITS.previewedWorkspaces, perPoint: 10 });

builder.queryField("explainTrigger", (t) =>
  t.field({
    type: TriggerDecisionRef,
    nullable: true,
    description:
      "Why a change of a ref started a run of a workspace, or none, also where nothing was stored: it is worked out from the repository, by the runs that were there when the change was decided and by the settings of now. For a change that is not decided yet: what would be decided now. `null` if the change or the workspace does not exist, or the caller may not read it. The runs of the workspace must be readable; a change of its own repository is then readable, too.",
    args: {
      refChangeId: t.arg.id({ required: true, description: "The change of the ref." }),
      workspaceId: t.arg.id({ required: true, extensions: ONE, description: "The workspace." }),
    },
    resolve: (_root, args, { loaders }) => loaders.load(explanationLoader, args),
  }),
);

builder.queryField("previewTriggers", (t) =>
  t.field({
    type: [TriggerDecisionRef],
    description: `Previews the runs that a push of a commit to a ref would start, and why: for each workspace of the repository whose runs the caller may read, those with a run first; at most ${LIMITS.previewedWorkspaces}. Nothing is created. The commit must be in the repository; the ref need not be.`,
    args: {
      repositoryId: t.arg.id({ required: true, description: "The repository." }),
      ref: t.arg.string({ required: true, description: "The full name of the ref, such as `refs/heads/main`." }),
      commit: t.arg.string({ required: true, extensions: MANY, description: "The full id of the commit." }),
    },
    resolve: (_root, args, { loaders }) => loaders.load(previewLoader, args),
  }),
);
