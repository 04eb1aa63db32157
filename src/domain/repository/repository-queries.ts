import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import { toPage } from "../../model/kit/page.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { type ActorCaller, can, scopeOf } from "../../model/people/permission.ts";
import { type GitHost, shownHost } from "../../model/repository/git-host.ts";
import { hookHealth, pollMs } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import { syncOf } from "../../model/workspace/workspace-sync.ts";
import { findSourceInputs } from "../../persistence/inputs/source-inputs-store.ts";
import { findGitHosts, listGitHostsOfOrganizations } from "../../persistence/repository/git-host-store.ts";
import { findSyncs, type WorkspaceSyncRow } from "../../persistence/repository/head-store.ts";
import { findLooks } from "../../persistence/repository/look-store.ts";
import { findRefChanges, listRefChanges } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories, listRepositoriesOfOrganizations } from "../../persistence/repository/repository-store.ts";
import { findDecision, listDecisions, type PlacedDecision } from "../../persistence/repository/trigger-store.ts";
import { findSupersedingRuns } from "../../persistence/run/superseded-run-store.ts";
import { permitOrNull, permitPage } from "../access/unchecked.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";
import { createTokenLimit } from "../kit/token-limit.ts";
import { type DerivedDecision, explainChange, isOf, type PreviewInput, previewPush } from "./explain-trigger.ts";
import type { JudgeDeps } from "./judge-change.ts";

/** A decision, with its run if it was stored. */
export type ShownDecision = PlacedDecision | DerivedDecision;

/** The sync of a workspace, with the inputs that it compares. */
export type ShownSync = ReturnType<typeof syncOf> & Pick<WorkspaceSyncRow, "appliedInputs" | "headInputs">;

const UNKNOWN: ShownSync = { state: "UNKNOWN", since: null, appliedInputs: null, headInputs: null };

/** The looks of a repository, for people. */
export type RepositoryHealth = ReturnType<typeof healthOf>;

function healthOf(
  host: GitHost | null,
  look: { endedAt: string | null; error: string | null; foundBy: string } | null,
) {
  const health = hookHealth(host?.kind ?? "GIT", look?.foundBy ?? "");
  return {
    hookHealth: health,
    pollSeconds: pollMs(health) / 1000,
    polledAt: look?.endedAt ?? null,
    pollError: look?.error ?? null,
  };
}

/**
 * Queries about hosts and their repositories. Hosts are visible to callers who may change them; repositories, which
 * sources name, to those who may read all workspaces of the organization.
 */
export function createRepositoryQueries(deps: JudgeDeps & Pick<Deps, "publicUrl">, reads: Reads) {
  const { database, publicUrl } = deps;
  const { explanationsAtOnce: total, explanationsPerToken: perToken } = LIMITS;
  const limit = createTokenLimit({ total, perToken });
  const shown = (host: GitHost) => shownHost(host, publicUrl);
  const findHosts = async (ids: readonly string[]) =>
    (await findGitHosts(database, ids)).map((host) => (host === null ? null : shown(host)));
  const listHosts = async (ids: readonly string[]) =>
    (await listGitHostsOfOrganizations(database, ids)).map((hosts) => hosts.map(shown));
  const ofHost = ({ organizationId }: GitHost) => organizationPlace({ id: organizationId });
  const ofRepository = ({ organizationId }: Repository) => organizationPlace({ id: organizationId });
  const ofChange = ({ organizationId }: RefChange) => organizationPlace({ id: organizationId });

  async function findHealths(ids: readonly string[]): Promise<RepositoryHealth[]> {
    const [looks, repositories] = await Promise.all([findLooks(database, ids), findRepositories(database, ids)]);
    const hosts = await findGitHosts(
      database,
      repositories.flatMap((repository) => repository?.gitHostId ?? []),
    );
    const byId = new Map(hosts.flatMap((host) => (host === null ? [] : [[host.id, host]])));
    return ids.map((_, index) =>
      healthOf(byId.get(repositories[index]?.gitHostId ?? "") ?? null, looks[index] ?? null),
    );
  }

  const hosts = reads.byId(findHosts, ofHost);
  const repositories = reads.byId((ids) => findRepositories(database, ids), ofRepository);
  const hostsBelow = reads.below(reads.organizations, listHosts);
  const repositoriesBelow = reads.below(reads.organizations, (ids) => listRepositoriesOfOrganizations(database, ids));
  const healths = reads.below(repositories, findHealths);
  const syncs = reads.below(reads.workspaces, (ids) => findSyncs(database, ids));
  const changes = reads.byId((ids) => findRefChanges(database, ids), ofChange);
  return {
    gitHosts: queryOrNull("ORGANIZATION_UPDATE", hosts),
    gitHostsOfOrganizations: queryLists("ORGANIZATION_UPDATE", hostsBelow),
    repositories: queryOrNull("WORKSPACE_READ", repositories),
    repositoriesOfOrganizations: queryLists("WORKSPACE_READ", repositoriesBelow),
    repositoryHealths: queryOrNull("WORKSPACE_READ", healths),
    refChanges: queryOrNull("WORKSPACE_READ", changes),
    /** Lists the stored decisions of a change that concern workspaces whose runs the caller may read. */
    listTriggerDecisions: async (caller: ActorCaller, refChangeId: string, page: PageRequest<string>) =>
      permitPage(
        caller,
        "RUN_READ",
        await reads.page(
          () => listDecisions(database, scopeOf(caller, "RUN_READ"), refChangeId, page),
          (row) => row,
        ),
      ),
    /** Returns whether workspaces have what their tracked branch has. */
    workspaceSyncs: async (caller: ActorCaller, ids: readonly string[]): Promise<ShownSync[]> =>
      permitOrNull(caller, "WORKSPACE_READ", await syncs(ids)).map((found) =>
        found === null
          ? UNKNOWN
          : { ...syncOf(found), appliedInputs: found.appliedInputs, headInputs: found.headInputs },
      ),
    /** Returns the inputs of stored decisions that the caller has been shown; `null` if they were not read. */
    inputsOfDecisions: async (caller: ActorCaller, decisions: readonly PlacedDecision[]) => {
      const keys = decisions.map(({ workspaceId, inputsDigest }) => ({ workspaceId, digest: inputsDigest ?? "" }));
      const found = await findSourceInputs(database, keys);
      return decisions.map((decision, index): SourceInputs | null => {
        const inputs = found[index] ?? null;
        if (inputs === null || !can(caller, "RUN_READ", decision)) return null;
        return { ...inputs, commit: decision.commit ?? inputs.commit };
      });
    },
    /**
     * Explains what a change meant for a workspace; `null` if one of them does not exist, or the workspace or its runs
     * may not be read. A change of another repository takes the permission to read that one.
     */
    explainTrigger: async (caller: ActorCaller, refChangeId: string, workspaceId: string) => {
      const areIds = idKind(refChangeId) === "refChange" && idKind(workspaceId) === "workspace";
      if (!areIds) return null;
      // All at once: the number of statements must not show what exists.
      const [[foundChange = null], [foundWorkspace = null], stored] = await Promise.all([
        changes([refChangeId]),
        reads.workspaces([workspaceId]),
        findDecision(database, refChangeId, workspaceId),
      ]);
      const workspace = foundWorkspace?.permit(caller, "RUN_READ") ?? null;
      if (workspace === null) return null;
      const change = foundChange?.permitIf(caller, "WORKSPACE_READ", (found) => isOf(found, workspace)) ?? null;
      if (stored !== null || change === null) return stored;
      return explainChange(deps, limit, caller, { change, workspace });
    },
    /** Decides as for a push, for the workspaces whose runs the caller may read. Throws NOT_FOUND. */
    previewTriggers: async (caller: ActorCaller, repositoryId: string, input: PreviewInput) => {
      const [found = null] = idKind(repositoryId) === "repository" ? await repositories([repositoryId]) : [];
      const repository = found?.permit(caller, "WORKSPACE_READ") ?? null;
      if (repository === null) throw notFound("repository");
      return previewPush(deps, limit, caller, { ...input, repository });
    },
    /** Returns the runs for which runs were ended. */
    supersedingRuns: queryOrNull(
      "RUN_READ",
      reads.below(reads.runSummaries, (ids) => findSupersedingRuns(database, ids)),
    ),
    /** Lists changes, newest first; positions are their numbers. `ref`: `null` for those of all refs. */
    listRefChanges: async (
      caller: ActorCaller,
      repositoryId: string,
      ref: string | null,
      page: PageRequest<number>,
    ) => {
      const read = () => listRefChanges(database, repositoryId, ref, page);
      const found = await reads.pageBelow(repositories, repositoryId, read);
      return found?.permit(caller, "WORKSPACE_READ") ?? toPage(page, []);
    },
  };
}
