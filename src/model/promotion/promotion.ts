/** Promotion: the commits that the workspaces of one stage have applied move to those of the next one. */
import { instantAfter } from "../kit/instant-after.ts";
import type { RunOutcome } from "../lifecycle/run-kind.ts";
import { selects } from "../workspace/label.ts";
import type { WorkspaceSource } from "../workspace/workspace.ts";

/** The workspaces of one label, such as `env:prod`, and when they get the commits of the stage before. */
export interface PromotionStage {
  name: string;
  label: string;
  /** Whether it gets them automatically. */
  automatic: boolean;
  /** How long they must have been applied before. */
  soakMinutes: number;
}

/** Stages in order. Instants are RFC 3339 with milliseconds and Z. */
export interface PromotionPipeline {
  id: string;
  organizationId: string;
  name: string;
  stages: readonly PromotionStage[];
  /** The actor under whose rights it promotes automatically: the one that created or changed it last. */
  ownerId: string;
  createdAt: string;
}

/** The way of a changeset to a stage. */
export interface Promotion {
  /** The changeset of the stage before. */
  originId: string;
  pipelineId: string;
  stage: string;
  organizationId: string;
  /** When the origin was applied, or proved to have no changes. */
  passedAt: string;
  /** The addresses of the repositories whose commits move. */
  repositories: readonly string[];
  /** When the stage gets the commits automatically; `null` if it has them, or does not get them automatically. */
  dueAt: string | null;
  /** The changeset of the stage; `null` before there is one. */
  changesetId: string | null;
  /** A newer origin of the same repository, in place of which this one is not promoted; `null` if there is none. */
  supersededById: string | null;
  /** Why the stage did not get the commits; `null` if nothing was wrong. */
  problem: string | null;
}

export const PROMOTION_STATES = ["FAILED", "PROMOTED", "SOAKING", "SUPERSEDED"] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

export function promotionState({ changesetId, supersededById, problem }: Promotion): PromotionState {
  if (changesetId !== null) return "PROMOTED";
  if (supersededById !== null) return "SUPERSEDED";
  return problem === null ? "SOAKING" : "FAILED";
}

const MINUTE_MS = 60_000;

/** Returns the earliest instant at which a stage starts what was applied before. */
export function soakedAt(passedAt: string, { soakMinutes }: Pick<PromotionStage, "soakMinutes">): string {
  return instantAfter(passedAt, soakMinutes * MINUTE_MS);
}

/** A stage with the one before it. */
export interface StageStep {
  stage: PromotionStage;
  before: PromotionStage;
}

/** Returns the steps of a pipeline, in order: all stages but the first, each with the one before. */
export function stepsOf({ stages }: Pick<PromotionPipeline, "stages">): StageStep[] {
  return stages.flatMap((stage, index) => {
    const before = stages[index - 1];
    return before === undefined ? [] : [{ stage, before }];
  });
}

/** Whether one of two labels selects all workspaces that the other selects. */
export function overlap(one: string, other: string): boolean {
  return selects(one, [other]) || selects(other, [one]);
}

/** A workspace of the stage before, with its newest run in the changeset. */
export interface OriginMember {
  workspaceId: string;
  labels: readonly string[];
  source: WorkspaceSource;
  outcome: RunOutcome | null;
  isSkipped: boolean;
  /** The commit of the run; `null` if its source is no repository, or there is no run. */
  commit: string | null;
}

/** The commits by the addresses of their repositories, or why there are none. */
export type MovedCommits = ReadonlyMap<string, string> | { problem: string };

/**
 * Returns the commits that a stage has applied by a changeset. A problem continues the name of the changeset's field, and
 * neither names nor counts workspaces, of which some may be hidden.
 */
export function movedCommits(before: PromotionStage, members: readonly OriginMember[]): MovedCommits {
  if (members.length === 0 || members.some(({ labels }) => !selects(before.label, labels))) {
    return { problem: `must be of the stage "${before.name}": all of its workspaces need the label ${before.label}.` };
  }
  const done = members.filter(({ outcome }) => outcome === "APPLIED" || outcome === "NO_CHANGES");
  if (members.some((member) => !member.isSkipped && !done.includes(member))) {
    return { problem: "must be applied, or without changes, in all of its workspaces." };
  }
  const commits = new Map<string, string>();
  for (const { source, commit } of done) {
    if (source.type !== "git" || commit === null) continue;
    const other = commits.get(source.url) ?? commit;
    if (other !== commit) return { problem: "must have applied one commit of each repository: it has applied two." };
    commits.set(source.url, commit);
  }
  return commits.size > 0 ? commits : { problem: "must have applied a commit of a repository." };
}
