import { DEFAULT_DRIFT_SETTINGS } from "../../src/model/workspace/drift-settings.ts";
import { DEFAULT_ROLLBACK } from "../../src/model/workspace/rollback-settings.ts";
import { DEFAULT_VERIFICATION } from "../../src/model/workspace/verification-settings.ts";
import { NO_TRIGGER } from "../../src/model/workspace/workspace-trigger.ts";
import { DEFAULT_RUN_LIMITS, type RunLimits, type RunRules } from "../../src/model/approval/run-rules.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import type { WorkspaceContext } from "../../src/domain/lifecycle/machine-input.ts";

/** The instant at which decisions of tests are made. */
export const NOW = "2026-03-01T12:00:00.000Z";
export const later = (seconds: number): string => new Date(Date.parse(NOW) + seconds * 1000).toISOString();

/** A DEPLOY run that was just created. */
export function aRun(changes: Partial<Run> = {}): Run {
  return {
    id: "run_1",
    organizationId: "org_1",
    projectId: "project_1",
    workspaceId: "workspace_1",
    number: 1,
    kind: "DEPLOY",
    status: "QUEUED",
    leg: "PLAN",
    outcome: null,
    trigger: "API",
    createdById: "actor_creator",
    actingRunId: null,
    requestedByIds: [],
    replannedById: null,
    message: null,
    revision: null,
    commitUrl: null,
    targets: [],
    replace: [],
    command: null,
    metadata: {},
    priority: 0,
    scheduledAt: null,
    applyAt: null,
    alarmAt: null,
    expired: null,
    escalatedAt: null,
    refreshOnly: false,
    version: 1,
    planVersion: 0,
    stageCount: 0,
    attempt: 0,
    cancelRequest: null,
    forced: false,
    holdsWorkspace: false,
    originId: null,
    planRunId: null,
    changesetId: null,
    cause: null,
    awaitsUpstream: false,
    releasedAt: null,
    policyWarnings: 0,
    policyAsks: false,
    awaitedCheck: null,
    judged: null,
    failure: null,
    reason: null,
    createdAt: NOW,
    startedAt: null,
    finishedAt: null,
    appliedAt: null,
    statusAt: NOW,
    ...changes,
  };
}

export function aWorkspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    id: "workspace_1",
    organizationId: "org_1",
    projectId: "project_1",
    name: "network",
    description: null,
    source: { type: "directory", path: "/srv/network" },
    paused: false,
    driftSettings: DEFAULT_DRIFT_SETTINGS,
    planApproval: "WHEN_REQUIRED",
    autoApply: "NEVER",
    lockScope: "RUN",
    interruptApply: false,
    tasksAllowed: false,
    runnerPoolId: null,
    runnerLabels: [],
    labels: [],
    hooks: [],
    trigger: NO_TRIGGER,
    rules: { limits: {}, approvalRules: [], freezeWindows: [] },
    lock: null,
    drift: null,
    expiresAt: null,
    expiryProblem: null,
    verification: DEFAULT_VERIFICATION,
    rollback: DEFAULT_ROLLBACK,
    tests: "OFF",
    deployShape: null,
    hasStartCommand: null,
    foundShape: null,
    foundStartCommand: null,
    takesOutputs: false,
    stateSerial: 0,
    createdAt: NOW,
    ...changes,
  };
}

interface ContextChanges {
  workspace?: Partial<Workspace>;
  limits?: Partial<RunLimits>;
  rules?: Partial<RunRules>;
  frozenUntil?: string | null;
  judges?: WorkspaceContext["judges"];
  hasProbes?: boolean;
}

/** A workspace with its rules: without freeze windows, and with the usual limits. */
export function aContext({
  workspace,
  limits,
  rules,
  frozenUntil = null,
  judges = [],
  hasProbes = false,
}: ContextChanges = {}): WorkspaceContext {
  const effective = { approvalRules: [], freezeWindows: [], ...rules, limits: { ...DEFAULT_RUN_LIMITS, ...limits } };
  return { workspace: aWorkspace(workspace), rules: effective, frozenUntil, judges, hasProbes };
}
