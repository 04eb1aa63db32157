import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import { FIRST_LEG } from "../../../src/model/lifecycle/run-kind.ts";
import * as requesters from "../../../src/persistence/run/requester-store.ts";
import * as alarms from "../../../src/persistence/run/alarm-store.ts";
import * as blockers from "../../../src/persistence/dispatch/blocker-store.ts";
import * as hiddenRuns from "../../../src/persistence/run/hidden-run-store.ts";
import * as hooks from "../../../src/persistence/workspace/hook-store.ts";
import { INBOX_REASONS } from "../../../src/model/run/inbox.ts";
import * as inboxes from "../../../src/persistence/run/inbox-store.ts";
import * as idempotency from "../../../src/persistence/run/idempotency-store.ts";
import * as progress from "../../../src/persistence/plan/progress-store.ts";
import * as refused from "../../../src/persistence/runner/refused-request-store.ts";
import * as rejected from "../../../src/persistence/organization/rejected-command-store.ts";
import * as comments from "../../../src/persistence/run/run-comment-store.ts";
import * as eventPages from "../../../src/persistence/run/run-event-page-store.ts";
import * as events from "../../../src/persistence/run/run-event-store.ts";
import * as lists from "../../../src/persistence/run/run-list-store.ts";
import * as masks from "../../../src/persistence/run/run-mask-store.ts";
import * as runPhases from "../../../src/persistence/run/run-phase-store.ts";
import * as parts from "../../../src/persistence/run/scoped-run-page.ts";
import * as queuePages from "../../../src/persistence/run/queue-page-store.ts";
import * as queue from "../../../src/persistence/run/run-queue-store.ts";
import * as changes from "../../../src/persistence/run/run-change-store.ts";
import * as runs from "../../../src/persistence/run/run-store.ts";
import * as strays from "../../../src/persistence/dispatch/stale-dispatch-store.ts";
import * as blockerReports from "../../../src/persistence/dispatch/blocker-report-store.ts";
import * as windows from "../../../src/persistence/run/freeze-window-store.ts";
import * as uncertain from "../../../src/persistence/run/uncertain-run-store.ts";
import { statusChanged } from "../../support/store-fixtures.ts";
import { between, exampleStore, FIRST, LATER } from "./world.ts";

const seen = (scope: CallerScope) => [{ sight: "RUN_READ", scope } as const];
const SCOPE = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a", "ws_b"],
} as const satisfies CallerScope;

const LINE = { plans: 10, queuedPlans: 100, queued: 11 };
const AROUND = { paused: false, lock: null, frozenUntil: null };

export const RUN_STORES = {
  "alarm-store": exampleStore(alarms, ({ tx, run, workspace, at }) => ({
    ringWorkspace: () => alarms.ringWorkspace(tx, workspace.id, at),
    ringOrganization: () => alarms.ringOrganization(tx, workspace.organizationId, at),
    ringOrganizations: () => alarms.ringOrganizations(tx, at),
    listRingingOrganizations: () => alarms.listRingingOrganizations(tx),
    silenceOrganization: () => alarms.silenceOrganization(tx, workspace.organizationId, at),
    listBusyWorkspaces: () => alarms.listBusyWorkspaces(tx, workspace.organizationId),
    listRingingRuns: () => alarms.listRingingRuns(tx, LATER, 100),
    setAlarm: () => alarms.setAlarm(tx, run.id, null),
  })),
  "inbox-store": exampleStore(inboxes, ({ tx, at }) => {
    const ask = { reasons: INBOX_REASONS, failedAfter: at, limit: 100 };
    return {
      listInboxCandidates: () =>
        inboxes.listInboxCandidates(tx, {
          ...ask,
          shown: EVERYTHING,
          approving: { PLAN: EVERYTHING, APPLY: EVERYTHING },
        }),
      "listInboxCandidates: own approvals": () =>
        inboxes.listInboxCandidates(tx, {
          ...ask,
          reasons: ["YOUR_APPROVAL"],
          shown: EVERYTHING,
          approving: { PLAN: EVERYTHING, APPLY: EVERYTHING },
        }),
      "listInboxCandidates: of a scope": () =>
        inboxes.listInboxCandidates(tx, { ...ask, shown: SCOPE, approving: { PLAN: SCOPE, APPLY: SCOPE } }),
    };
  }),
  "blocker-store": exampleStore(blockers, ({ tx, run, at }) => ({
    findWaitingRunDetails: () =>
      blockers.findWaitingRunDetails(tx, [{ run, mayApply: true }], { at, runnersSince: at, knownSince: at }),
  })),
  "hook-store": exampleStore(hooks, ({ tx, run, leased }) => ({
    findRunHooks: () => hooks.findRunHooks(tx, [run.id, leased.id]),
    getRunHooks: () => hooks.getRunHooks(tx, run.id),
  })),
  "idempotency-store": exampleStore(idempotency, ({ tx, run, actorId, at }) => ({
    findIdempotencyKey: () =>
      idempotency.findIdempotencyKey(tx, { workspaceId: run.workspaceId, actorId, key: "key" }, at),
    putIdempotencyKey: () =>
      idempotency.putIdempotencyKey(
        tx,
        { workspaceId: run.workspaceId, actorId, key: "key" },
        { requestDigest: "digest", runId: run.id, at },
      ),
    removeIdempotencyKeys: () => idempotency.removeIdempotencyKeys(tx, at, 100),
  })),
  "progress-store": exampleStore(progress, ({ tx, leased, jobId, at }) => {
    const place = { runId: leased.id, phase: "PLAN" as const, jobId };
    return {
      findReportedProgress: () => progress.findReportedProgress(tx, place),
      putProgress: () =>
        progress.putProgress(
          tx,
          { ...place, sequence: 1, progress: { total: 3, done: 1, failed: 0, current: [], currentCount: 0 } },
          { at, reportedAt: at },
        ),
      findNewestProgress: () => progress.findNewestProgress(tx, [leased.id]),
      readProgressHistory: () => progress.readProgressHistory(tx, [place]),
    };
  }),
  "refused-request-store": exampleStore(refused, ({ tx, leased, jobId, at }) => ({
    recordRefusedRequest: () =>
      refused.recordRefusedRequest(tx, { jobId, at, request: "POST log", code: "GONE", message: "It is over." }, 100),
    listRefusedRequests: () => refused.listRefusedRequests(tx, leased.id, FIRST),
    "listRefusedRequests: backward": () => refused.listRefusedRequests(tx, leased.id, between(1, 9)),
    countRefusedRequests: () => refused.countRefusedRequests(tx, [leased.id]),
  })),
  "rejected-command-store": exampleStore(rejected, ({ tx, run, actorId, at }) => ({
    recordRejectedCommand: () =>
      rejected.recordRejectedCommand(tx, {
        at,
        actorId,
        credentialId: "tok_1",
        command: "approveRun",
        subjectId: run.id,
        found: { place: run, sight: "RUN_READ" },
        code: "RUN_STATE_CONFLICT",
        message: "No.",
      }),
    listRejectedCommands: () => rejected.listRejectedCommands(tx, { runId: run.id }, seen(EVERYTHING), FIRST),
    "listRejectedCommands: of a workspace, backward": () =>
      rejected.listRejectedCommands(tx, { workspaceId: run.workspaceId }, seen(EVERYTHING), between(1, 9)),
    "listRejectedCommands: of an organization": () =>
      rejected.listRejectedCommands(tx, { organizationId: run.organizationId }, seen(EVERYTHING), FIRST),
    "listRejectedCommands: without a project that is hidden": () =>
      rejected.listRejectedCommands(tx, { organizationId: run.organizationId }, seen(SCOPE), FIRST),
    removeOtherRejectedCommands: () => rejected.removeOtherRejectedCommands(tx, run.organizationId, at, 10),
    findFirstRefusals: () => rejected.findFirstRefusals(tx, "approveRun", [run.id]),
    removeRejectedCommands: () => rejected.removeRejectedCommands(tx, [run.id], at),
  })),
  "requester-store": exampleStore(requesters, ({ tx, run }) => ({
    listRequesterIds: () => requesters.listRequesterIds(tx, { runIds: [run.id], changesetIds: ["cs_a"] }),
  })),
  "run-change-store": exampleStore(changes, ({ tx, run, at, actorId, id }) => ({
    updateRun: () =>
      changes.updateRun(tx, run, { status: { to: "READY", version: 2, at }, holdsWorkspace: true, alarmAt: null }, [
        statusChanged(run.id, 2, "QUEUED", "READY"),
      ]),
    "updateRun: without a status": () =>
      changes.updateRun(tx, { ...run, version: 2 }, { priority: 5 }, [statusChanged(run.id, 3, "READY", "READY")]),
    "updateRun: with a phase that ends, another that starts, and fields of the workspace": () => {
      const base = { runId: run.id, at, actorId };
      const events = [
        { ...base, version: 4, type: "PHASE_ENDED" as const, to: "PASSED" as const },
        { ...base, version: 5, type: "PHASE_CHANGED" as const, phaseId: id("phase"), to: "RUNNING" as const },
      ];
      const phase = { id: id("phase"), kind: "INIT" as const, runnerId: null };
      return changes.updateRun(tx, { ...run, version: 3 }, {}, events, { phase, workspaceFields: ["currentRun"] });
    },
  })),
  "run-comment-store": exampleStore(comments, ({ tx, run, actorId, at, id }) => ({
    insertRunComment: () =>
      comments.insertRunComment(tx, { id: id("comment"), runId: run.id, actorId, text: "Good.", at }),
    findRunComments: () => comments.findRunComments(tx, [id("comment")]),
    listRunComments: () => comments.listRunComments(tx, run.id, FIRST),
    "listRunComments: backward": () => comments.listRunComments(tx, run.id, between("a", "z")),
  })),
  "run-event-page-store": exampleStore(eventPages, ({ tx, run }) => ({
    readRunEventsAfter: () => eventPages.readRunEventsAfter(tx, run.id, 0),
    findRunProgress: () => eventPages.findRunProgress(tx, run.id),
  })),
  "run-event-store": exampleStore(events, ({ tx, run }) => ({
    toRunEvent: () => undefined,
    listRunEvents: () => events.listRunEvents(tx, run.id, FIRST),
    "listRunEvents: backward": () => events.listRunEvents(tx, run.id, between(0, 9)),
    listStatusChanges: () => events.listStatusChanges(tx, [run.id]),
  })),
  "run-list-store": exampleStore(lists, ({ tx, workspace: { id, organizationId }, at }) => ({
    listRuns: () => lists.listRuns(tx, EVERYTHING, { workspaceId: id }, FIRST),
    "listRuns: of an organization": () => lists.listRuns(tx, EVERYTHING, { organizationId }, FIRST),
    "listRuns: backward": () => lists.listRuns(tx, EVERYTHING, { workspaceId: id }, between("run_z", "run_a")),
    "listRuns: of workspaces with labels": () => lists.listRuns(tx, EVERYTHING, { labels: ["env:dev", "team"] }, FIRST),
    "listRuns: in a scope": () => lists.listRuns(tx, SCOPE, {}, FIRST),
    "listRuns: in a scope, of an organization, from a cursor": () =>
      lists.listRuns(tx, SCOPE, { organizationId }, { ...FIRST, after: "run_z" }, { detail: "SUMMARY" }),
    "listRuns: in a scope, filtered": () => lists.listRuns(tx, SCOPE, { statuses: ["QUEUED"] }, FIRST),
    "listRuns: but for isolated projects": () =>
      lists.listRuns(tx, { ...SCOPE, organizationIds: "ALL", projectIds: [] }, {}, FIRST),
    "listRuns: in no scope": () => lists.listRuns(tx, { type: "nothing" }, {}, FIRST),
    "listRuns: by offset": () => lists.listRuns(tx, EVERYTHING, { organizationId }, FIRST, { offset: 40 }),
    "listRuns: every filter": () =>
      lists.listRuns(
        tx,
        EVERYTHING,
        {
          organizationId,
          statuses: ["QUEUED", "READY"],
          kinds: ["DEPLOY"],
          triggers: ["MANUAL"],
          needsApproval: false,
          createdAfter: at,
          createdBefore: LATER,
          metadata: [{ key: "commit", value: "abc" }],
          dialect: { hcp: ["pending"] },
        },
        FIRST,
      ),
    "listRuns: every search": () =>
      lists.listRuns(
        tx,
        EVERYTHING,
        {
          search: "bump",
          workspaceIds: [id],
          workspaceSearch: "net",
          createdByIds: ["usr_a"],
          outcomes: ["APPLIED"],
          minDestructions: 1,
          endedAfter: at,
        },
        FIRST,
      ),
    "listRuns: those about which a person does something": () =>
      lists.listRuns(tx, EVERYTHING, { requiredActions: ["RELEASE_LOCK", "REVIEW_PLAN"], at }, FIRST),
    "listRuns: those with blockers of some kinds": () =>
      lists.listRuns(
        tx,
        EVERYTHING,
        {
          blockedBy: {
            kinds: ["WORKSPACE_LOCKED", "NO_RUNNER"],
            at,
            openWindows: ["{}"],
            runnersSince: at,
            overdueSince: at,
          },
        },
        FIRST,
      ),
    "listRuns: oldest first": () =>
      lists.listRuns(tx, EVERYTHING, {}, { ...FIRST, after: "run_a" }, { order: "OLDEST_FIRST" }),
    "listRuns: those that wait for approval": () =>
      lists.listRuns(tx, EVERYTHING, { organizationId, needsApproval: true }, FIRST),
    "listRuns: of no status": () => lists.listRuns(tx, EVERYTHING, { organizationId, statuses: [] }, FIRST),
    listNewestRuns: () => lists.listNewestRuns(tx, [id, id], 3),
    "listNewestRuns: summaries": () => lists.listNewestRuns(tx, [id, id], 3, "SUMMARY"),
    "listRuns: of a workspace, from a cursor": () =>
      lists.listRuns(tx, EVERYTHING, { workspaceId: id }, { ...FIRST, after: "run_z" }),
    "listRuns: summaries of all": () => lists.listRuns(tx, EVERYTHING, {}, FIRST, { detail: "SUMMARY" }),
    "listRuns: of all, from a cursor": () => lists.listRuns(tx, EVERYTHING, {}, { ...FIRST, after: "run_z" }),
    newestPlannedRuns: () => undefined,
    newestRunsAskedOf: () => Promise.resolve(lists.newestRunsAskedOf({ workspaceId: id }, FIRST)),
    selectRunsForBulk: () => lists.selectRunsForBulk(tx, EVERYTHING, { organizationId, statuses: ["QUEUED"] }, 100),
    "countRuns: in a scope": () => lists.countRuns(tx, SCOPE, {}, 1000),
    "selectRunsForBulk: in a scope": () => lists.selectRunsForBulk(tx, SCOPE, { statuses: ["QUEUED"] }, 100),
    countRuns: () => lists.countRuns(tx, EVERYTHING, { workspaceId: id }, 1000),
  })),
  "run-phase-store": exampleStore(runPhases, ({ tx, run }) => ({
    findRunsWithPhases: () => runPhases.findRunsWithPhases(tx, [run.id]),
  })),
  "run-mask-store": exampleStore(masks, ({ tx, cipher, run, at }) => ({
    listRunMasks: () => masks.listRunMasks(tx, cipher, run.id),
    countRunMasks: () => masks.countRunMasks(tx, run.id),
    lockRunMasks: () => masks.lockRunMasks(tx, run.id),
    insertRunMasks: () => masks.insertRunMasks(tx, cipher, run.id, { values: ["a", "b"], count: 0, createdAt: at }),
    "insertRunMasks: none": () => masks.insertRunMasks(tx, cipher, run.id, { values: [], count: 2, createdAt: at }),
  })),
  "scoped-run-page": exampleStore(parts, ({ tx }) => ({
    inParts: () => parts.inParts(SCOPE),
    listRunsOfParts: () => parts.listRunsOfParts(tx, SCOPE, null, { after: null, limit: 51 }, "SUMMARY"),
  })),
  "queue-page-store": exampleStore(queuePages, ({ tx, workspace: { id } }) => ({
    listQueue: () => queuePages.listQueue(tx, id, FIRST),
    "listQueue: behind a position": () =>
      queuePages.listQueue(tx, id, { ...FIRST, after: { class: 2, priority: 5, number: 3 } }),
    countQueue: () => queuePages.countQueue(tx, id, 10),
  })),
  "run-queue-store": exampleStore(queue, ({ tx, workspace: { id }, at }) => ({
    readLine: () => queue.readLine(tx, id, { ...AROUND, at }, LINE),
    "readLine: of a paused workspace": () => queue.readLine(tx, id, { ...AROUND, at, paused: true }, LINE),
    listQueued: () => queue.listQueued(tx, id, 10),
    findNext: () => queue.findNext(tx, id, { ...AROUND, at }),
    "findNext: behind an interrupted apply": () => queue.findNext(tx, id, { ...AROUND, at, lock: "APPLY_INTERRUPTED" }),
  })),
  "run-store": exampleStore(runs, ({ tx, run, leased, workspace, blobId, actorId, at, id }) => ({
    insertRun: () =>
      runs.insertRun(tx, {
        id: id("run"),
        organizationId: workspace.organizationId,
        projectId: workspace.projectId,
        workspaceId: workspace.id,
        kind: "PLAN",
        leg: FIRST_LEG.PLAN,
        trigger: "MANUAL",
        actingRunId: null,
        requestedByIds: [],
        createdById: actorId,
        message: null,
        revision: null,
        targets: [],
        replace: [],
        refreshOnly: false,
        command: null,
        metadata: {},
        priority: 0,
        scheduledAt: null,
        originId: null,
        planRunId: null,
        planVersion: 0,
        createdAt: at,
        source: { blobId, workFolder: "envs/prod", inputsDigest: null, commitUrl: null },
        variablesSealed: Buffer.of(1),
      }),
    lockRun: () => runs.lockRun(tx, run.id),
    findRuns: () => runs.findRuns(tx, [run.id, leased.id]),
    findRunSummaries: () => runs.findRunSummaries(tx, [run.id, leased.id]),
    findRun: () => runs.findRun(tx, run.id),
    findRunByNumber: () => runs.findRunByNumber(tx, workspace.id, 1),
    findHolders: () => runs.findHolders(tx, [workspace.id]),
    listRunsAtGate: () => runs.listRunsAtGate(tx, workspace.id),
    findSealedVariables: () => runs.findSealedVariables(tx, [run.id, id("run")]),
    getRunInput: () => runs.getRunInput(tx, run.id),
  })),
  "hidden-run-store": exampleStore(hiddenRuns, ({ tx, run, workspace }) => ({
    takeDeletedWorkspace: () => hiddenRuns.takeDeletedWorkspace(tx),
    hideRuns: () => hiddenRuns.hideRuns(tx, workspace.id, run.id, 100),
    noteRunsHidden: () => hiddenRuns.noteRunsHidden(tx, workspace.id),
  })),
  "stale-dispatch-store": exampleStore(strays, ({ tx, at }) => ({
    listStaleDispatch: () => strays.listStaleDispatch(tx, at, 100),
  })),
  "blocker-report-store": exampleStore(blockerReports, ({ tx, run, actorId, at }) => ({
    appendBlockerReports: () =>
      blockerReports.appendBlockerReports(tx, [{ run, reported: "WORKSPACE_PAUSED" }], {
        at,
        actorId,
        fields: ["blockers"],
      }),
    setReportedBlockers: () => blockerReports.setReportedBlockers(tx, run.id, "NO_RUNNER"),
    listStaleReports: () => blockerReports.listStaleReports(tx, { overdueSince: at, runnersPresent: true }, 100),
    findDispatchReport: () => blockerReports.findDispatchReport(tx, run.id),
  })),
  "freeze-window-store": exampleStore(windows, ({ tx, workspace }) => ({
    listFreezeWindowsOfApproved: () =>
      windows.listFreezeWindowsOfApproved(tx, { organizationId: workspace.organizationId, workspaceId: null }, 100),
  })),
  "uncertain-run-store": exampleStore(uncertain, ({ tx, workspace, at }) => ({
    findUncertainSince: () => uncertain.findUncertainSince(tx, workspace.id, at),
  })),
};
