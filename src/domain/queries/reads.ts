import type { Actor } from "../../model/people/actor.ts";
import type { Approval } from "../../model/approval/approval.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Phase } from "../../model/run/phase.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run, RunDetail, RunSummary } from "../../model/run/run.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listPhases } from "../../persistence/plan/phase-store.ts";
import { findNewestPlans } from "../../persistence/plan/plan-store.ts";
import { listNewestRuns } from "../../persistence/run/run-list-store.ts";
import { findRuns } from "../../persistence/run/run-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { type ReadKeys, together } from "../kit/together.ts";

/** What nearly every request reads, by ids: asked for together. */
export interface Reads {
  organizations: ReadKeys<Organization | null>;
  workspaces: ReadKeys<Workspace | null>;
  runs: ReadKeys<Run | null>;
  /** The first so many of each workspace. */
  newestRuns: (detail: RunDetail, limit: number) => ReadKeys<RunSummary[]>;
  phasesOfRuns: ReadKeys<Phase[]>;
  newestPlans: ReadKeys<Plan | null>;
  approvalsOfRuns: ReadKeys<Approval[]>;
  actors: ReadKeys<Actor | null>;
}

export function createReads(database: Reader): Reads {
  const reading = <Value>(read: (reader: Reader, keys: readonly string[]) => Promise<Value[]>): ReadKeys<Value> =>
    together((keys) => read(database, keys), LIMITS.keysReadTogether);
  /** At most twice as many as there are sizes of pages. */
  const newestRuns = new Map<string, ReadKeys<RunSummary[]>>();
  const readNewest = (detail: RunDetail, limit: number): ReadKeys<RunSummary[]> =>
    together((workspaceIds) => listNewestRuns(database, workspaceIds, limit, detail), LIMITS.pagesReadTogether);
  return {
    newestRuns(detail, limit) {
      const key = `${detail} ${limit}`;
      const read = newestRuns.get(key) ?? readNewest(detail, limit);
      newestRuns.set(key, read);
      return read;
    },
    organizations: reading(findOrganizations),
    workspaces: reading(findWorkspaces),
    runs: reading(findRuns),
    phasesOfRuns: reading(listPhases),
    newestPlans: reading(findNewestPlans),
    approvalsOfRuns: reading(listApprovals),
    actors: reading(findActors),
  };
}
