/** Everything that can be read. One door guards them all; what may not be read is answered like what does not exist. */
import { idKind } from "../../model/kit/id.ts";
import { mayAnywhere, type TokenCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { toPage } from "../../model/kit/page.ts";
import { deploymentStatus, type Workspace } from "../../model/workspace/workspace.ts";
import { findApprovals } from "../../persistence/approval/approval-store.ts";
import { deploymentFacts } from "../../persistence/workspace/deployment-store.ts";
import { listLogLines } from "../../persistence/log/log-page-store.ts";
import { findOrganizationBySlug, listOrganizations } from "../../persistence/organization/organization-store.ts";
import { findLogExpiries } from "../../persistence/installation/retention-store.ts";
import { findRunHooks } from "../../persistence/workspace/hook-store.ts";
import { findPhases } from "../../persistence/plan/phase-store.ts";
import { findPlans, findPlanTexts, listPlans } from "../../persistence/plan/plan-store.ts";
import { listDestroyed, listResourceChanges } from "../../persistence/plan/resource-change-store.ts";
import { listRunEvents } from "../../persistence/run/run-event-store.ts";
import { countRuns, listRuns, newestRunsAskedOf } from "../../persistence/run/run-list-store.ts";
import { findHolders, findRunByNumber } from "../../persistence/run/run-store.ts";
import { findNewestStates, findStateLocks } from "../../persistence/state/state-store.ts";
import { findTokens, listTokens } from "../../persistence/people/token-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import {
  findWorkspaceByName,
  findWorkspacesEver,
  listWorkspaces,
} from "../../persistence/workspace/workspace-store.ts";
import { approvalQueries } from "./approval-queries.ts";
import type { Deps } from "../kit/deps.ts";
import type { Queries, RunFilter } from "../domain.ts";
import { createReads, type Reads } from "./reads.ts";
import { isStorable } from "../kit/input.ts";
import { windowAt } from "../lifecycle/freeze.ts";
import { readProgress } from "../run/read-progress.ts";
import { readSubjects } from "../run/read-subjects.ts";
import { readBlockers } from "../run/read-blockers.ts";
import type { BulkQueries } from "../bulk/bulk-domain.ts";
import type { RecoveredStateQueries } from "../recovered-state/recovered-state-domain.ts";
import type { RunnerQueries } from "../runner-pool/runner-domain.ts";
import type { WebhookQueries } from "../webhook/webhook-domain.ts";
import type { StateQueries } from "../state/state-domain.ts";
import { historyQueries } from "../run/history-queries.ts";
import { runActions } from "../run/run-actions.ts";
import { forceAllowedAt } from "../lifecycle/stop-asked.ts";
import { asOf } from "../lifecycle/locked-run.ts";

/** Runs a read where the caller may; otherwise, and for an empty list of keys, answers without asking the database. */
async function readEach<Key, Answer>(
  caller: TokenCaller,
  action: Permission,
  keys: readonly Key[],
  nothing: () => Answer,
  read: () => Promise<Answer[]>,
): Promise<Answer[]> {
  return keys.length === 0 || !mayAnywhere(caller, action) ? keys.map(nothing) : read();
}

const none = (): null => null;

/** How many resources a warning names. */
const DESTROYED_SHOWN = 5;

export function createQueries(
  deps: Deps,
): Omit<
  Queries,
  keyof WebhookQueries | keyof BulkQueries | keyof RecoveredStateQueries | keyof RunnerQueries | keyof StateQueries
> {
  const reads = createReads(deps.database);
  return {
    ...workspaceQueries(deps, reads),
    ...runQueries(deps, reads),
    ...resultQueries(deps, reads),
    ...approvalQueries(deps),
    ...peopleQueries(deps, reads),
    ...historyQueries(deps),
  };
}

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
>;

function workspaceQueries({ database, cipher, clock }: Deps, reads: Reads): WorkspaceQueries {
  const now = (found: (Workspace | null)[]) => found.map((one) => (one === null ? null : asOf(one, clock())));
  return {
    organizationBySlug: async (caller, slug) =>
      mayAnywhere(caller, "organization:read") && isStorable(slug) ? findOrganizationBySlug(database, slug) : null,
    organizations: (caller, ids) => readEach(caller, "organization:read", ids, none, () => reads.organizations(ids)),
    listOrganizations: async (caller, page) =>
      mayAnywhere(caller, "organization:read") ? listOrganizations(database, page) : toPage(page, []),
    freezeWindowStates: (windows) => windows.map((window) => windowAt(window, clock())),
    workspaceByPath: async (caller, slug, name) => {
      if (!mayAnywhere(caller, "workspace:read") || !isStorable(slug + name)) return null;
      const organization = await findOrganizationBySlug(database, slug);
      const found = organization === null ? null : await findWorkspaceByName(database, organization.id, name);
      return found === null ? null : asOf(found, clock());
    },
    workspaces: (caller, ids) =>
      readEach(caller, "workspace:read", ids, none, async () => now(await reads.workspaces(ids))),
    workspacesEver: (caller, ids) =>
      readEach(caller, "workspace:read", ids, none, async () => now(await findWorkspacesEver(database, ids))),
    listWorkspaces: async (caller, organizationId, search, page) => {
      if (!mayAnywhere(caller, "workspace:read") || !isStorable(search ?? "")) return toPage(page, []);
      const found = await listWorkspaces(database, organizationId, search, page);
      return { ...found, items: found.items.map((workspace) => asOf(workspace, clock())) };
    },
    variables: (caller, ids) =>
      readEach(
        caller,
        "workspace:read",
        ids,
        () => [],
        async () => {
          const found = await listVariables(database, cipher, ids);
          return found.map((variables) =>
            variables.map((variable) => ({ ...variable, value: variable.sensitive ? null : variable.value })),
          );
        },
      ),
    outputs: (caller, ids) =>
      readEach(
        caller,
        "workspace:read",
        ids,
        () => [],
        async () => (await findNewestStates(database, ids)).map((state) => state?.outputs ?? []),
      ),
    deploymentStatuses: (caller, ids) =>
      readEach(
        caller,
        "workspace:read",
        ids,
        () => "PENDING" as const,
        async () =>
          (await deploymentFacts(database, ids)).map((facts) => (facts ? deploymentStatus(facts) : "PENDING")),
      ),
    currentRuns: (caller, ids) => readEach(caller, "run:read", ids, none, () => findHolders(database, ids)),
    stateLocks: (caller, ids) =>
      readEach(caller, "workspace:read", ids, none, async () =>
        (await findStateLocks(database, ids)).map((lock) =>
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
      ),
  };
}

/** An id that the database cannot even hold matches nothing. */
function isAskable({ workspaceId = "", organizationId = "", metadata = [] }: RunFilter): boolean {
  const text = metadata.map(({ key, value }) => key + value).join("");
  return isStorable(workspaceId + organizationId + text) && text.isWellFormed();
}

type RunQueries = Pick<
  Queries,
  "runs" | "runByNumber" | "listRuns" | "countRuns" | "blockers" | "actions" | "forceAllowedAt"
>;

function runQueries(deps: Deps, reads: Reads): RunQueries {
  const { database } = deps;
  return {
    runs: (caller, ids) => readEach(caller, "run:read", ids, none, () => reads.runs(ids)),
    runByNumber: async (caller, workspaceId, number) =>
      mayAnywhere(caller, "run:read") ? findRunByNumber(database, workspaceId, number) : null,
    listRuns: async (caller, filter, page, { detail, offset = 0 }) => {
      if (!mayAnywhere(caller, "run:read") || !isAskable(filter)) return toPage(page, []);
      const workspaceId = newestRunsAskedOf(filter, page, offset);
      if (workspaceId === null) return listRuns(database, filter, page, { detail, offset });
      const [newest = []] = await reads.newestRuns(detail, page.limit + 1)([workspaceId]);
      return toPage(page, newest);
    },
    countRuns: async (caller, filter, atMost) =>
      mayAnywhere(caller, "run:read") && isAskable(filter) ? countRuns(database, filter, atMost) : 0,
    blockers: (caller, runs) =>
      readEach(
        caller,
        "run:read",
        runs,
        () => [],
        () => readBlockers(database, runs, deps.clock()),
      ),
    forceAllowedAt: (caller, runs) =>
      readEach(caller, "run:read", runs, none, async () => {
        const found = await readSubjects(database, runs, deps.clock());
        return found.map((each) => each && forceAllowedAt(each.subject));
      }),
    actions: (caller, runs) =>
      readEach(
        caller,
        "run:read",
        runs,
        () => [],
        async () => {
          const now = deps.clock();
          const found = await readSubjects(database, runs, now);
          return found.map((each) => (each === null ? [] : runActions(caller, each.subject, each.approvals, now)));
        },
      ),
  };
}

type ResultQueries = Pick<
  Queries,
  | "plans"
  | "plansOfRuns"
  | "newestPlans"
  | "planTexts"
  | "listResourceChanges"
  | "destroyedAddresses"
  | "hooksOfRuns"
  | "logExpiries"
  | "progress"
  | "phases"
  | "phasesOfRuns"
  | "approvals"
  | "approvalsOfRuns"
  | "listRunEvents"
  | "listLogLines"
>;

function resultQueries({ database, clock }: Deps, reads: Reads): ResultQueries {
  return {
    plans: (caller, ids) => readEach(caller, "run:read", ids, none, () => findPlans(database, ids)),
    plansOfRuns: (caller, ids) =>
      readEach(
        caller,
        "run:read",
        ids,
        () => [],
        () => listPlans(database, ids),
      ),
    newestPlans: (caller, ids) => readEach(caller, "run:read", ids, none, () => reads.newestPlans(ids)),
    planTexts: (caller, ids) => readEach(caller, "run:read", ids, none, () => findPlanTexts(database, ids)),
    listResourceChanges: async (caller, planId, actions, page) =>
      mayAnywhere(caller, "run:read") ? listResourceChanges(database, planId, actions, page) : toPage(page, []),
    destroyedAddresses: (caller, ids) =>
      readEach(
        caller,
        "run:read",
        ids,
        () => [],
        () => listDestroyed(database, ids, DESTROYED_SHOWN),
      ),
    hooksOfRuns: (caller, ids) =>
      readEach(
        caller,
        "run:read",
        ids,
        () => [],
        () => findRunHooks(database, ids),
      ),
    logExpiries: (caller, ids) => readEach(caller, "run:read", ids, none, () => findLogExpiries(database, ids)),
    progress: (caller, runs) => readEach(caller, "run:read", runs, none, () => readProgress(database, runs, clock())),
    phases: (caller, ids) => readEach(caller, "run:read", ids, none, () => findPhases(database, ids)),
    phasesOfRuns: (caller, ids) =>
      readEach(
        caller,
        "run:read",
        ids,
        () => [],
        () => reads.phasesOfRuns(ids),
      ),
    approvals: (caller, ids) => readEach(caller, "run:read", ids, none, () => findApprovals(database, ids)),
    approvalsOfRuns: (caller, ids) =>
      readEach(
        caller,
        "run:read",
        ids,
        () => [],
        () => reads.approvalsOfRuns(ids),
      ),
    listRunEvents: async (caller, runId, page) =>
      mayAnywhere(caller, "run:read") ? listRunEvents(database, runId, page) : toPage(page, []),
    listLogLines: async (caller, runId, only, page) =>
      mayAnywhere(caller, "run:read") && idKind(runId) === "run"
        ? listLogLines(database, { runId, ...only }, page)
        : toPage(page, []),
  };
}

type PeopleQueries = Pick<Queries, "actors" | "tokens" | "listTokens">;

function peopleQueries({ database }: Deps, reads: Reads): PeopleQueries {
  return {
    actors: async (ids) => (ids.length === 0 ? [] : reads.actors(ids)),
    tokens: (caller, ids) => readEach(caller, "token:write", ids, none, () => findTokens(database, ids)),
    listTokens: async (caller, revoked, page) =>
      mayAnywhere(caller, "token:write") ? listTokens(database, revoked, page) : toPage(page, []),
  };
}
