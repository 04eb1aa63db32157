/** Queries about organizations, workspaces and what belongs to a workspace. */
import { scopeOf } from "../../model/people/permission.ts";
import { toPage } from "../../model/kit/page.ts";
import { deploymentStatus, type Workspace } from "../../model/workspace/workspace.ts";
import type { Reads } from "../access/reads.ts";
import { permitEach, permitLists, permitOrNull, permitPage } from "../access/unchecked.ts";
import type { Queries } from "./query-types.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { windowAt } from "../lifecycle/freeze.ts";
import { withoutExpiredLock } from "../lifecycle/locked-run.ts";
import { workspaceActions } from "../workspace/workspace-actions.ts";
import type { WorkspaceReads } from "./workspace-reads.ts";

type WorkspaceQueries = Pick<
  Queries,
  | "organizationBySlug"
  | "organizations"
  | "listOrganizations"
  | "freezeWindowStates"
  | "workspaceByPath"
  | "workspaces"
  | "workspacesEver"
  | "listWorkspaces"
  | "variables"
  | "outputs"
  | "deploymentStatuses"
  | "currentRuns"
  | "stateLocks"
  | "workspaceActions"
  | "statistics"
>;

export function createWorkspaceQueries(
  { clock }: Pick<Deps, "clock">,
  { organizations, workspaces }: Reads,
  reads: WorkspaceReads,
): WorkspaceQueries {
  const now = (found: Workspace | null) => (found === null ? null : withoutExpiredLock(found, clock()));
  return {
    organizationBySlug: async (caller, slug) =>
      isStorable(slug) ? ((await reads.organizationBySlug(slug))?.permit(caller, "organization:read") ?? null) : null,
    organizations: async (caller, ids) => permitOrNull(caller, "organization:read", await organizations(ids)),
    listOrganizations: async (caller, page) => {
      const found = await reads.listOrganizations(scopeOf(caller, "organization:read"), page);
      return permitPage(caller, "organization:read", found);
    },
    freezeWindowStates: (windows) => windows.map((window) => windowAt(window, clock())),
    workspaceByPath: async (caller, slug, name) => {
      if (!isStorable(slug + name)) return null;
      return now((await reads.workspaceByPath(slug, name))?.permit(caller, "workspace:read") ?? null);
    },
    workspaces: async (caller, ids) => permitOrNull(caller, "workspace:read", await workspaces(ids)).map(now),
    workspacesEver: async (caller, ids) =>
      permitOrNull(caller, "workspace:read", await reads.workspacesEver(ids)).map(now),
    listWorkspaces: async (caller, organizationId, search, page) => {
      if (!isStorable(search ?? "")) return toPage(page, []);
      const scope = scopeOf(caller, "workspace:read");
      const found = permitPage(
        caller,
        "workspace:read",
        await reads.listWorkspaces(scope, organizationId, search, page),
      );
      return { ...found, items: found.items.map((workspace) => withoutExpiredLock(workspace, clock())) };
    },
    variables: async (caller, ids) => {
      const found = permitLists(caller, "workspace:read", await reads.variables(ids));
      return found.map((variables) =>
        variables.map((variable) => ({ ...variable, value: variable.sensitive ? null : variable.value })),
      );
    },
    outputs: async (caller, ids) =>
      permitOrNull(caller, "workspace:read", await reads.newestStates(ids)).map((state) => state?.outputs ?? []),
    deploymentStatuses: async (caller, ids) =>
      permitOrNull(caller, "workspace:read", await reads.deploymentFacts(ids)).map((facts) =>
        facts === null ? "PENDING" : deploymentStatus(facts),
      ),
    currentRuns: async (caller, ids) => permitOrNull(caller, "run:read", await reads.holders(ids)),
    stateLocks: async (caller, ids) =>
      permitEach(caller, "workspace:read", await reads.stateLocks(ids), () => null).map((lock) =>
        lock === null
          ? null
          : {
              id: lock.lockId,
              runId: lock.runId,
              actorId: lock.actorId,
              who: lock.info["Who"] ?? "",
              operation: lock.info["Operation"] ?? "",
              since: lock.since,
            },
      ),
    workspaceActions: async (caller, ids) =>
      permitOrNull(caller, "workspace:read", await reads.subjects(ids)).map((subject) =>
        subject === null
          ? []
          : workspaceActions(caller, { ...subject, workspace: withoutExpiredLock(subject.workspace, clock()) }),
      ),
    statistics: async (caller, ids, window) => permitOrNull(caller, "run:read", await reads.statistics(window)(ids)),
  };
}
