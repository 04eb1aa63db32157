/** Decides what a stage gets of a changeset: which commits, in which workspaces. */
import type { Changeset } from "../../model/changeset/changeset.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { EVERYTHING } from "../../model/people/permission.ts";
import { movedCommits, type PromotionPipeline, type StageStep } from "../../model/promotion/promotion.ts";
import { selects } from "../../model/workspace/label.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listOriginMembers } from "../../persistence/promotion/promotion-store.ts";
import { selectLabelledWorkspaces } from "../../persistence/workspace/label-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";

/** A workspace of the next stage, and the commit that it gets. */
export interface Target {
  workspace: Workspace;
  commit: string;
}

export interface PromotionPlan {
  passedAt: string;
  /** The commits by the addresses of their repositories. */
  commits: ReadonlyMap<string, string>;
  targets: Target[];
}

/** Why nothing can be promoted. The message continues the name of the field. */
export interface PlanProblem {
  field: "changesetId" | "stage";
  message: string;
}

export interface PromotionRequest {
  pipeline: PromotionPipeline;
  step: StageStep;
  origin: Changeset;
}

/**
 * Plans a promotion over all workspaces of the stage that use a repository whose commit moves, whether the caller sees them
 * or not. A problem neither names nor counts them.
 */
export async function planPromotion(
  reader: Reader,
  { pipeline, step, origin }: PromotionRequest,
): Promise<PromotionPlan | PlanProblem> {
  const { passedAt, kind, refreshOnly } = origin;
  const ofOrigin = (message: string): PlanProblem => ({ field: "changesetId", message });
  const ofStage = (message: string): PlanProblem => ({ field: "stage", message });
  if (kind !== "DEPLOY" || refreshOnly) return ofOrigin("must be one that deploys.");
  if (passedAt === null) return ofOrigin("must be applied, or without changes, in all of its workspaces.");
  const commits = movedCommits(step.before, await listOriginMembers(reader, origin.id));
  if ("problem" in commits) return ofOrigin(commits.problem);
  const { stage } = step;
  const most = LIMITS.workspacesSelected;
  const ids = await selectLabelledWorkspaces(reader, EVERYTHING, pipeline.organizationId, [stage.label], most + 1);
  if (ids.length > most) return ofStage(`selects more than ${most} workspaces: use a narrower label.`);
  const targets = (ids.length === 0 ? [] : await findWorkspaces(reader, ids)).flatMap((workspace): Target[] => {
    const commit = workspace?.source.type === "git" ? commits.get(workspace.source.url) : undefined;
    return workspace === null || commit === undefined ? [] : [{ workspace, commit }];
  });
  if (targets.length === 0) {
    return ofStage(`selects no workspace of the same repository: none has the label ${stage.label}.`);
  }
  const others = pipeline.stages.filter(({ name }) => name !== stage.name);
  const both = others.find(({ label }) => targets.some(({ workspace }) => selects(label, workspace.labels)));
  if (both !== undefined) {
    const labels = `${stage.label} and ${both.label}`;
    return ofStage(`selects a workspace that the stage "${both.name}" selects too: none may have both ${labels}.`);
  }
  return { passedAt, commits, targets };
}
