/** Reads of organizations, workspaces and what belongs to a workspace. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import { organizationPlace, workspacePlace } from "../../model/people/place.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { StatisticsWindow } from "../../model/run/statistics.ts";
import { findOrganizationBySlug, listOrganizations } from "../../persistence/organization/organization-store.ts";
import { listNewestRuns } from "../../persistence/run/run-list-store.ts";
import { findHolders } from "../../persistence/run/run-store.ts";
import { findNewestStates, findStateLocks } from "../../persistence/state/state-store.ts";
import { findDeploymentInputs } from "../../persistence/workspace/deployment-store.ts";
import { readStatistics } from "../../persistence/workspace/statistics-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import {
  countWorkspaces,
  listWorkspaces,
  type WorkspaceFilter,
} from "../../persistence/workspace/workspace-list-store.ts";
import { findWorkspaceByPath, findWorkspacesEver } from "../../persistence/workspace/workspace-store.ts";
import { readWorkspaceSubjects } from "./workspace-actions.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

export function createWorkspaceReads({ database, cipher }: Pick<Deps, "database" | "cipher">, reads: Reads) {
  const { workspaces } = reads;
  return {
    organizationBySlug: async (slug: string) =>
      reads.row(() => findOrganizationBySlug(database, slug), organizationPlace),
    listOrganizations: async (scope: CallerScope, page: PageRequest<string>) =>
      reads.page(() => listOrganizations(database, scope, page), organizationPlace),
    workspaceByPath: async (slug: string, name: string) =>
      reads.row(() => findWorkspaceByPath(database, slug, name), workspacePlace),
    workspacesEver: reads.byId((ids) => findWorkspacesEver(database, ids), workspacePlace),
    listWorkspaces: async (
      scope: CallerScope,
      organizationId: string,
      filter: WorkspaceFilter,
      page: PageRequest<string>,
    ) => reads.page(() => listWorkspaces(database, scope, organizationId, filter, page), workspacePlace),
    countWorkspaces: (scope: CallerScope, organizationId: string, filter: WorkspaceFilter) =>
      countWorkspaces(database, scope, organizationId, filter, LIMITS.countAtMost),
    variables: reads.below(workspaces, (ids) => listVariables(database, cipher, ids)),
    newestStates: reads.below(workspaces, (ids) => findNewestStates(database, ids)),
    deploymentInputs: reads.below(workspaces, (ids) => findDeploymentInputs(database, ids)),
    holders: reads.below(
      workspaces,
      (ids) => findHolders(database, ids),
      (run) => (run === null ? [] : [run]),
    ),
    latestRuns: reads.below(
      workspaces,
      async (ids) => (await listNewestRuns(database, ids, 1)).map(([run = null]) => run),
      (run) => (run === null ? [] : [run]),
    ),
    stateLocks: reads.below(workspaces, (ids) => findStateLocks(database, ids)),
    subjects: reads.below(workspaces, (ids) => readWorkspaceSubjects(database, ids)),
    statistics: (window: StatisticsWindow) => reads.below(workspaces, (ids) => readStatistics(database, ids, window)),
  };
}
