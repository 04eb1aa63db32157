/** Statements of what starts runs: looks, decisions, changesets, dependencies, schedules, promotions. */
import { EVERYTHING } from "../../src/model/people/permission.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { PageRequest } from "../../src/model/kit/page.ts";
import {
  listMemberRuns,
  listMemberWorkspaces,
  listUncreatedMembers,
  lockUncreatedMembers,
} from "../../src/persistence/changeset/changeset-member-store.ts";
import { findChangeset, listDueChangesets, noteApplied } from "../../src/persistence/changeset/changeset-store.ts";
import { findChangesets, listChangesets, listWaves } from "../../src/persistence/changeset/seen-changeset-store.ts";
import {
  listFailedBefore,
  listReleasable,
  reopenAfter,
} from "../../src/persistence/changeset/changeset-order-store.ts";
import {
  listDependenciesAbove,
  listDependenciesAmong,
  listDependenciesOf,
  listDependentIds,
} from "../../src/persistence/dependency/dependency-store.ts";
import {
  findSettledRun,
  listReferencedOutputs,
  listRunUpstreams,
} from "../../src/persistence/dependency/run-upstream-store.ts";
import { listUpstreamChanges } from "../../src/persistence/dependency/upstream-change-store.ts";
import { findBlobScans } from "../../src/persistence/inputs/blob-scan-store.ts";
import {
  findInputsOfRuns,
  listFoldersOfRepository,
  listReportedFolders,
} from "../../src/persistence/inputs/source-inputs-store.ts";
import { findPromotion, listDuePromotions, listPromotionsOf } from "../../src/persistence/promotion/promotion-store.ts";
import { findFollowedRefs, listGitRefs, setGitRefs } from "../../src/persistence/repository/git-ref-store.ts";
import { recordHint, removeHintsBefore } from "../../src/persistence/repository/hint-store.ts";
import {
  claimLooks,
  findLooks,
  lockLook,
  renewLooks,
  requestLook,
} from "../../src/persistence/repository/look-store.ts";
import {
  findRefChanges,
  listRefChanges,
  listRefChangesSince,
} from "../../src/persistence/repository/ref-change-store.ts";
import { findRepositories, listRepositoriesOfHost } from "../../src/persistence/repository/repository-store.ts";
import {
  claimRefChanges,
  endRefChange,
  findDoneInputs,
  listDecisions,
  lockUndecided,
} from "../../src/persistence/repository/trigger-store.ts";
import { findAppliedSources } from "../../src/persistence/schedule/applied-source-store.ts";
import { listBusyWorkspaces, listDueSchedules, removeFirings } from "../../src/persistence/schedule/firing-store.ts";
import { findDelivery } from "../../src/persistence/schedule/inbound-hook-store.ts";
import { listSchedules, listSchedulesOfWorkspaces } from "../../src/persistence/schedule/schedule-store.ts";
import { listWorkspaces } from "../../src/persistence/workspace/workspace-list-store.ts";
import { listWorkspacesOfRepository } from "../../src/persistence/workspace/workspace-store.ts";
import type { BigDatabase } from "../part.ts";
import { FILLED_IDS } from "./fill-triggers.ts";
import type { HotStatement } from "./hot-statement.ts";

const FIRST: PageRequest<never> = { limit: 20, direction: "forward", after: null, before: null };
const FREE = { full: [], hosts: [], counts: [], perHost: 4 };
const organizationId = DEFAULT_ORGANIZATION_ID;

export function triggerStatements({ sample }: BigDatabase, now: string): Record<string, HotStatement> {
  const { gitHostId, repositoryId, changesetId, refChangeId, scheduleId, inboundHookId, pipelineId } = FILLED_IDS;
  const workspaceIds = Array.from({ length: 10 }, (_, number) => sample.workspaceId(number));
  const [workspaceId = ""] = workspaceIds;
  const runIds = Array.from({ length: 20 }, (_, number) => sample.runId(sample.runCount - 1 - number));
  const lookClaim = { by: "server", at: now, until: now, notSince: now };
  const hint = {
    gitHostId,
    deliveryId: "new",
    event: "push",
    remoteId: "10",
    name: "acme/r-10",
    at: now,
    byFormer: false,
  };
  const promotion = { originId: changesetId, pipelineId, stage: "stage" };
  return {
    "looks that are due": (tx) => claimLooks(tx, lookClaim, FREE, 24),
    "the look of a repository": (tx) => findLooks(tx, [repositoryId]),
    "the end of a look": (tx) => lockLook(tx, repositoryId, "server"),
    "renewal of looks": (tx) => renewLooks(tx, "server", now),
    "a request for a look": (tx) => requestLook(tx, repositoryId),
    "a hook": (tx) => recordHint(tx, hint),
    "old hooks": (tx) => removeHintsBefore(tx, "2025-01-01T00:00:00.000Z", 100),
    repositories: (tx) => findRepositories(tx, [repositoryId]),
    "repositories of a host": (tx) => listRepositoriesOfHost(tx, gitHostId),
    "what is followed of a repository": (tx) => findFollowedRefs(tx, repositoryId),
    "refs of a repository": (tx) => listGitRefs(tx, repositoryId),
    "refs that moved": (tx) => setGitRefs(tx, repositoryId, [{ ref: "refs/heads/main", oid: "0" }], now),
    "workspaces of a repository": (tx) => listWorkspacesOfRepository(tx, repositoryId),
    "workspaces with a label": (tx) => listWorkspaces(tx, EVERYTHING, organizationId, { labels: ["team:7"] }, FIRST),
    "changes that are due": (tx) => claimRefChanges(tx, { by: "server", at: now, until: now, passed: [] }, FREE, 8),
    "changes by id": (tx) => findRefChanges(tx, [refChangeId]),
    "changes of a repository": (tx) => listRefChanges(tx, repositoryId, null, FIRST),
    "changes of a ref": (tx) => listRefChanges(tx, repositoryId, "refs/heads/main", FIRST),
    "changes since a number": (tx) => listRefChangesSince(tx, repositoryId, 5, 100),
    "a change to decide": (tx) => lockUndecided(tx, refChangeId, "server"),
    "the end of a change": (tx) => endRefChange(tx, { id: refChangeId, at: now, forced: false, changesetId: null }),
    "inputs of the newest runs": (tx) => findDoneInputs(tx, workspaceIds, "refs/heads/main", null),
    "decisions of a change": (tx) => listDecisions(tx, EVERYTHING, refChangeId, FIRST),
    "folders of a repository": (tx) =>
      listFoldersOfRepository(tx, organizationId, "https://host-1.example.com/acme/r-1.git"),
    "folders that engines reported": (tx) => listReportedFolders(tx, workspaceIds),
    "inputs of runs": (tx) => findInputsOfRuns(tx, runIds),
    "scans of files": (tx) => findBlobScans(tx, { mirror: "mirror-1", scanner: 1 }, ["a", "b"]),
    "changesets that are due": (tx) => listDueChangesets(tx, 100),
    "a changeset": (tx) => findChangeset(tx, changesetId),
    "changesets by id, as they are seen": (tx) => findChangesets(tx, EVERYTHING, [changesetId]),
    "changesets of an organization": (tx) => listChangesets(tx, EVERYTHING, organizationId, null, FIRST),
    "waves of a changeset": (tx) => listWaves(tx, EVERYTHING, [changesetId]),
    "members without a run": (tx) => listUncreatedMembers(tx, changesetId, 50),
    "members to create": (tx) => lockUncreatedMembers(tx, changesetId, workspaceIds),
    "runs of a changeset": (tx) => listMemberRuns(tx, EVERYTHING, changesetId),
    "workspaces of a changeset": (tx) => listMemberWorkspaces(tx, changesetId),
    "whether a changeset is applied": (tx) => noteApplied(tx, changesetId, now),
    "members whose predecessors failed": (tx) => listFailedBefore(tx, changesetId, workspaceIds),
    "runs to release": (tx) => listReleasable(tx, changesetId, 50),
    "members after another": (tx) => reopenAfter(tx, changesetId, workspaceId),
    "dependencies above a workspace": (tx) => listDependenciesAbove(tx, workspaceId),
    "dependencies of workspaces": (tx) => listDependenciesOf(tx, workspaceIds),
    "dependencies among workspaces": (tx) => listDependenciesAmong(tx, workspaceIds),
    "outputs that runs got": (tx) => listRunUpstreams(tx, runIds),
    "outputs that a workspace gets": (tx) => listReferencedOutputs(tx, workspaceId),
    "states that were applied upstream": (tx) => listUpstreamChanges(tx, 50),
    "the newest settled run": (tx) => findSettledRun(tx, workspaceId),
    "dependents of workspaces": (tx) => listDependentIds(tx, workspaceIds),
    "schedules that are due": (tx) => listDueSchedules(tx, now, 100),
    "schedules of an organization": (tx) => listSchedules(tx, EVERYTHING, organizationId, FIRST),
    "schedules of workspaces": (tx) => listSchedulesOfWorkspaces(tx, workspaceIds),
    "workspaces that a schedule waits for": (tx) => listBusyWorkspaces(tx, scheduleId),
    "old firings": (tx) => removeFirings(tx, scheduleId, "2025-01-01T00:00:00.000Z"),
    "applied sources": (tx) => findAppliedSources(tx, workspaceIds),
    "a delivery to an inbound hook": (tx) => findDelivery(tx, inboundHookId, "1"),
    "promotions that are due": (tx) => listDuePromotions(tx, now, 100),
    "a promotion": (tx) => findPromotion(tx, promotion),
    "promotions of changesets": (tx) => listPromotionsOf(tx, [changesetId]),
  };
}
