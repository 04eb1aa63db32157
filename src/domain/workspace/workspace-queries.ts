/** Queries about organizations, workspaces and what belongs to a workspace. */
import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import type { StatisticsWindow } from "../../model/run/statistics.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import { deploymentStatus, type Workspace } from "../../model/workspace/workspace.ts";
import type { Reads } from "../access/reads.ts";
import { permitEach, permitLists, permitOrNull, permitPage } from "../access/unchecked.ts";
import { queryOrNull } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import type { WorkspaceFilter } from "../../persistence/workspace/workspace-list-store.ts";
import { windowAt } from "../rules/freeze.ts";
import { organizationSettingsDigest, workspaceSettingsDigest } from "../rules/settings-digest.ts";
import { withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { workspaceActions } from "./workspace-actions.ts";
import { createWorkspaceReads } from "./workspace-reads.ts";

/** A filter of workspaces. Given fields are joined by AND. */
interface ShownWorkspaceFilter extends Omit<WorkspaceFilter, "locked"> {
  locked?: boolean;
}

/** Whether the filter can match: other texts are in no name. */
function isAskable({ search = "", text = "", labels = [] }: ShownWorkspaceFilter): boolean {
  return isStorable(search + text + labels.join()) && text.isWellFormed();
}

export function createWorkspaceQueries(deps: Pick<Deps, "database" | "cipher" | "clock">, base: Reads) {
  const { organizations, workspaces } = base;
  const reads = createWorkspaceReads(deps, base);
  const { clock } = deps;
  // Most workspaces are not locked, and need no clock.
  const now = (found: Workspace | null) =>
    found === null || found.lock === null ? found : withoutExpiredLock(found, clock());
  const atNow = ({ locked, ...filter }: ShownWorkspaceFilter): WorkspaceFilter =>
    locked === undefined ? filter : { ...filter, locked: { is: locked, at: clock().toISOString() } };
  return {
    organizationBySlug: async (caller: ActorCaller, slug: string) =>
      isStorable(slug) ? ((await reads.organizationBySlug(slug))?.permit(caller, "ORGANIZATION_READ") ?? null) : null,
    organizations: queryOrNull("ORGANIZATION_READ", organizations),
    /** Lists organizations by slug; positions are slugs. */
    listOrganizations: async (caller: ActorCaller, page: PageRequest<string>) => {
      const found = await reads.listOrganizations(scopeOf(caller, "ORGANIZATION_READ"), page);
      return permitPage(caller, "ORGANIZATION_READ", found);
    },
    /** Returns the digest of the settings of an organization. */
    organizationSettingsDigest,
    /** Returns the digest of the settings of a workspace, with its probes. */
    workspaceSettingsDigest,
    /** Returns whether each window is open now, and when it opens next. */
    freezeWindowStates: (windows: readonly FreezeWindow[]) => windows.map((window) => windowAt(window, clock())),
    workspaceByPath: async (caller: ActorCaller, slug: string, name: string) => {
      if (!isStorable(slug + name)) return null;
      return now((await reads.workspaceByPath(slug, name))?.permit(caller, "WORKSPACE_READ") ?? null);
    },
    workspaces: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "WORKSPACE_READ", await workspaces(ids)).map(now),
    /** Returns workspaces, also deleted ones. */
    workspacesEver: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "WORKSPACE_READ", await reads.workspacesEver(ids)).map(now),
    /** Lists workspaces by name. */
    listWorkspaces: async (
      caller: ActorCaller,
      organizationId: string,
      filter: ShownWorkspaceFilter,
      page: PageRequest<string>,
    ) => {
      if (!isAskable(filter)) return toPage(page, []);
      const scope = scopeOf(caller, "WORKSPACE_READ");
      const found = permitPage(
        caller,
        "WORKSPACE_READ",
        await reads.listWorkspaces(scope, organizationId, atNow(filter), page),
      );
      return { ...found, items: found.items.map((workspace) => withoutExpiredLock(workspace, clock())) };
    },
    /** Counts the workspaces that `listWorkspaces` lists. */
    countWorkspaces: async (caller: ActorCaller, organizationId: string, filter: ShownWorkspaceFilter) =>
      isAskable(filter) ? reads.countWorkspaces(scopeOf(caller, "WORKSPACE_READ"), organizationId, atNow(filter)) : 0,
    variables: async (caller: ActorCaller, ids: readonly string[]) => {
      const found = permitLists(caller, "WORKSPACE_READ", await reads.variables(ids));
      return found.map((variables) =>
        variables.map((variable) => ({ ...variable, value: variable.sensitive ? null : variable.value })),
      );
    },
    outputs: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "WORKSPACE_READ", await reads.newestStates(ids)).map((state) => state?.outputs ?? []),
    deploymentStatuses: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "WORKSPACE_READ", await reads.deploymentInputs(ids)).map((input) =>
        input === null ? "PENDING" : deploymentStatus(input),
      ),
    currentRuns: queryOrNull("RUN_READ", reads.holders),
    /** Returns the newest run of each workspace. */
    latestRuns: queryOrNull("RUN_READ", reads.latestRuns),
    stateLocks: async (caller: ActorCaller, ids: readonly string[]) =>
      permitEach(caller, "WORKSPACE_READ", await reads.stateLocks(ids), () => null).map((lock) =>
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
    workspaceActions: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "WORKSPACE_READ", await reads.subjects(ids)).map((subject) =>
        subject === null
          ? []
          : workspaceActions(caller, { ...subject, workspace: withoutExpiredLock(subject.workspace, clock()) }),
      ),
    /** Returns statistics; `null` if the caller may not read runs. */
    statistics: async (caller: ActorCaller, ids: readonly string[], window: StatisticsWindow) =>
      permitOrNull(caller, "RUN_READ", await reads.statistics(window)(ids)),
  };
}
