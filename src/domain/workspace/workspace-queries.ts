/** Queries about organizations, workspaces and what belongs to a workspace. */
import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import type { StatisticsWindow } from "../../model/run/statistics.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { scopeOf, type TokenCaller } from "../../model/people/permission.ts";
import { deploymentStatus, type Workspace } from "../../model/workspace/workspace.ts";
import type { Reads } from "../access/reads.ts";
import { permitEach, permitLists, permitOrNull, permitPage } from "../access/unchecked.ts";
import { queryOrNull } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { windowAt } from "../lifecycle/freeze.ts";
import { withoutExpiredLock } from "../lifecycle/locked-run.ts";
import { workspaceActions } from "./workspace-actions.ts";
import { createWorkspaceReads } from "./workspace-reads.ts";

export function createWorkspaceQueries(deps: Pick<Deps, "database" | "cipher" | "clock">, base: Reads) {
  const { organizations, workspaces } = base;
  const reads = createWorkspaceReads(deps, base);
  const { clock } = deps;
  const now = (found: Workspace | null) => (found === null ? null : withoutExpiredLock(found, clock()));
  return {
    organizationBySlug: async (caller: TokenCaller, slug: string) =>
      isStorable(slug) ? ((await reads.organizationBySlug(slug))?.permit(caller, "organization:read") ?? null) : null,
    organizations: queryOrNull("organization:read", organizations),
    /** Lists organizations by slug; positions are slugs. */
    listOrganizations: async (caller: TokenCaller, page: PageRequest<string>) => {
      const found = await reads.listOrganizations(scopeOf(caller, "organization:read"), page);
      return permitPage(caller, "organization:read", found);
    },
    /** Returns whether each window is open now, and when it opens next. */
    freezeWindowStates: (windows: readonly FreezeWindow[]) => windows.map((window) => windowAt(window, clock())),
    workspaceByPath: async (caller: TokenCaller, slug: string, name: string) => {
      if (!isStorable(slug + name)) return null;
      return now((await reads.workspaceByPath(slug, name))?.permit(caller, "workspace:read") ?? null);
    },
    workspaces: async (caller: TokenCaller, ids: readonly string[]) =>
      permitOrNull(caller, "workspace:read", await workspaces(ids)).map(now),
    /** Returns workspaces, also deleted ones. */
    workspacesEver: async (caller: TokenCaller, ids: readonly string[]) =>
      permitOrNull(caller, "workspace:read", await reads.workspacesEver(ids)).map(now),
    /** Lists workspaces by name. */
    listWorkspaces: async (
      caller: TokenCaller,
      organizationId: string,
      search: string | null,
      page: PageRequest<string>,
    ) => {
      if (!isStorable(search ?? "")) return toPage(page, []);
      const scope = scopeOf(caller, "workspace:read");
      const found = permitPage(
        caller,
        "workspace:read",
        await reads.listWorkspaces(scope, organizationId, search, page),
      );
      return { ...found, items: found.items.map((workspace) => withoutExpiredLock(workspace, clock())) };
    },
    variables: async (caller: TokenCaller, ids: readonly string[]) => {
      const found = permitLists(caller, "workspace:read", await reads.variables(ids));
      return found.map((variables) =>
        variables.map((variable) => ({ ...variable, value: variable.sensitive ? null : variable.value })),
      );
    },
    outputs: async (caller: TokenCaller, ids: readonly string[]) =>
      permitOrNull(caller, "workspace:read", await reads.newestStates(ids)).map((state) => state?.outputs ?? []),
    deploymentStatuses: async (caller: TokenCaller, ids: readonly string[]) =>
      permitOrNull(caller, "workspace:read", await reads.deploymentInputs(ids)).map((input) =>
        input === null ? "PENDING" : deploymentStatus(input),
      ),
    currentRuns: queryOrNull("run:read", reads.holders),
    stateLocks: async (caller: TokenCaller, ids: readonly string[]) =>
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
    workspaceActions: async (caller: TokenCaller, ids: readonly string[]) =>
      permitOrNull(caller, "workspace:read", await reads.subjects(ids)).map((subject) =>
        subject === null
          ? []
          : workspaceActions(caller, { ...subject, workspace: withoutExpiredLock(subject.workspace, clock()) }),
      ),
    /** Returns statistics; `null` if the caller may not read runs. */
    statistics: async (caller: TokenCaller, ids: readonly string[], window: StatisticsWindow) =>
      permitOrNull(caller, "run:read", await reads.statistics(window)(ids)),
  };
}
