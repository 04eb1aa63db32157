/**
 * What each mutation takes, written by hand and apart from the commands: the permission to see its subject, those to
 * change it, and what its caller must have because it gives it.
 */
import { PERMISSIONS, type Permission } from "../../src/model/people/permission-set.ts";

export interface CommandLine {
  /** The permission to see the subject; `null`: the subject is the installation, which is no secret. */
  sight: Permission | null;
  /** Each of them is missing once, and the answer names it. */
  needs: readonly Permission[];
  /** What the caller must have itself. */
  gives?: readonly Permission[];
  /** Fields that are added to the input of the example. */
  more?: object;
  /** What comes of it for a caller with the rights, if the example is of another one. */
  comesTo?: string;
}

/** All that a member of a team or a role could be given, of what the examples give. */
const READS: readonly Permission[] = [
  "ORGANIZATION_READ",
  "PROJECT_READ",
  "WORKSPACE_READ",
  "RUN_READ",
  "POLICY_READ",
  "RUNNER_READ",
  "FIGURES_READ",
];
/** What an administrator of a project has by moving something into it. */
const MAINTAINED: readonly Permission[] = PERMISSIONS;

const onRun = (...needs: Permission[]): CommandLine => ({ sight: "RUN_READ", needs });
const onWorkspace = (...needs: Permission[]): CommandLine => ({ sight: "WORKSPACE_READ", needs });
const onOrganization = (...needs: Permission[]): CommandLine => ({ sight: "ORGANIZATION_READ", needs });
/** A repository is of the organization as a whole. */
const onRepository = onWorkspace;
const onProject = (...needs: Permission[]): CommandLine => ({ sight: "PROJECT_READ", needs });
const onPool: CommandLine = { sight: "RUNNER_READ", needs: ["RUNNER_POOL_WRITE"] };
const onRunner: CommandLine = { sight: "RUNNER_READ", needs: ["RUNNER_COMMAND"] };
const onPolicySet: CommandLine = { sight: "POLICY_READ", needs: ["POLICY_WRITE"] };
const onTeam: CommandLine = { sight: "MEMBER_READ", needs: ["MEMBER_WRITE"] };
/** Who may not change it does not see it. */
const onlyBy = (sight: Permission): CommandLine => ({ sight, needs: [] });

/** Rights are asked for before the pool is looked for. */
const ABSENT_POOL = "pool_0000000000000000000000000a";

/** By the name of the mutation, and a word for its input where there are several. */
export const COMMANDS: Readonly<Record<string, CommandLine>> = {
  addTeamMember: onTeam,
  removeTeamMember: onTeam,
  updateTeam: onTeam,
  deleteTeam: onTeam,
  createTeam: onOrganization("MEMBER_WRITE"),
  createServiceAccount: onOrganization("MEMBER_WRITE"),
  disableUser: { sight: null, needs: ["MEMBER_WRITE"] },
  enableUser: { sight: null, needs: ["MEMBER_WRITE"] },
  createRole: { ...onOrganization("ROLE_WRITE"), gives: ["WORKSPACE_READ", "RUN_READ"] },
  updateRole: { ...onOrganization("ROLE_WRITE"), gives: ["WORKSPACE_READ"] },
  deleteRole: onOrganization("ROLE_WRITE"),
  createGrant: { ...onOrganization("GRANT_WRITE"), gives: READS },
  revokeGrant: { sight: "MEMBER_READ", needs: ["GRANT_WRITE"] },
  createTrustRule: { sight: "MEMBER_READ", needs: ["TOKEN_WRITE"] },
  deleteTrustRule: { sight: "MEMBER_READ", needs: ["TOKEN_WRITE"] },
  inviteMember: onOrganization("MEMBER_WRITE"),
  revokeInvitation: { sight: "MEMBER_READ", needs: ["MEMBER_WRITE"] },
  createProject: onProject("PROJECT_WRITE"),
  "createProject isolated": { ...onProject("PROJECT_WRITE", "GRANT_WRITE"), more: { isolated: true } },
  updateProject: onProject("PROJECT_WRITE"),
  "updateProject isolated": { ...onProject("PROJECT_WRITE", "GRANT_WRITE"), more: { isolated: true } },
  deleteProject: onProject("PROJECT_WRITE"),
  moveProject: { ...onProject("PROJECT_WRITE", "GRANT_WRITE"), gives: MAINTAINED },
  moveWorkspace: { ...onWorkspace("WORKSPACE_DELETE", "WORKSPACE_CREATE"), gives: MAINTAINED },

  createWorkspace: onOrganization("WORKSPACE_CREATE"),
  "createWorkspace with hooks": {
    ...onOrganization("WORKSPACE_CREATE", "HOOK_WRITE"),
    more: { hooks: [{ stage: "AFTER_PLAN", command: "true" }] },
  },
  "createWorkspace with labels": {
    ...onOrganization("WORKSPACE_CREATE", "RUNNER_CHOOSE"),
    more: { runnerLabels: ["a"] },
  },
  "createWorkspace with gates": { ...onOrganization("WORKSPACE_CREATE", "GATE_WRITE"), more: { autoApply: "ALWAYS" } },
  "createWorkspace with limits": {
    ...onOrganization("WORKSPACE_CREATE", "GATE_WRITE"),
    more: { limits: { planSeconds: 60 } },
  },
  updateWorkspace: onWorkspace("WORKSPACE_UPDATE"),
  "updateWorkspace with hooks": {
    ...onWorkspace("WORKSPACE_UPDATE", "HOOK_WRITE"),
    more: { hooks: [{ stage: "AFTER_PLAN", command: "true" }] },
  },
  "updateWorkspace with probes": {
    ...onWorkspace("WORKSPACE_UPDATE"),
    more: { probes: [{ name: "web", kind: "HTTP", target: "https://example.com/" }] },
  },
  "updateWorkspace with a command as a probe": {
    ...onWorkspace("WORKSPACE_UPDATE", "HOOK_WRITE"),
    more: { probes: [{ name: "shell", kind: "COMMAND", use: "VERIFY", target: "true" }] },
  },
  testProbe: onWorkspace("WORKSPACE_UPDATE"),
  "updateWorkspace with labels": {
    ...onWorkspace("WORKSPACE_UPDATE", "RUNNER_CHOOSE"),
    more: { runnerLabels: ["a"] },
  },
  "updateWorkspace with gates": { ...onWorkspace("WORKSPACE_UPDATE", "GATE_WRITE"), more: { autoApply: "ALWAYS" } },
  "updateWorkspace with tests": { ...onWorkspace("WORKSPACE_UPDATE", "GATE_WRITE"), more: { tests: "ALL" } },
  "updateWorkspace with tasks": { ...onWorkspace("WORKSPACE_UPDATE", "GATE_WRITE"), more: { tasksAllowed: true } },
  "updateWorkspace with limits": {
    ...onWorkspace("WORKSPACE_UPDATE", "GATE_WRITE"),
    more: { limits: { planSeconds: 60 } },
  },
  "createWorkspace that expires": {
    ...onOrganization("WORKSPACE_CREATE", "RUN_DESTROY"),
    more: { expiresAt: "2030-01-01T00:00:00.000Z" },
  },
  "updateWorkspace that expires": {
    ...onWorkspace("WORKSPACE_UPDATE", "RUN_DESTROY", "WORKSPACE_DELETE"),
    more: { expiresAt: "2030-01-01T00:00:00.000Z" },
  },
  "createWorkspace that follows a branch": {
    ...onOrganization("WORKSPACE_CREATE", "RUN_DEPLOY"),
    more: { trigger: { branch: "main" } },
    // Its source is a folder.
    comesTo: "InvalidInputError",
  },
  "updateWorkspace that follows a branch": {
    ...onWorkspace("WORKSPACE_UPDATE", "RUN_DEPLOY"),
    more: { trigger: { branch: "main" } },
    comesTo: "InvalidInputError",
  },
  setWorkspaceDependencies: onWorkspace("WORKSPACE_UPDATE"),
  deleteWorkspace: onWorkspace("WORKSPACE_DELETE"),
  lockWorkspace: onWorkspace("WORKSPACE_LOCK"),
  // The examples of these two were locked by another one.
  "unlockWorkspace force": {
    ...onWorkspace("WORKSPACE_LOCK", "WORKSPACE_FORCE_UNLOCK"),
    more: { force: true },
  },
  setVariable: onWorkspace("VARIABLE_WRITE"),
  deleteVariable: onWorkspace("VARIABLE_WRITE"),
  forceUnlockState: onWorkspace("STATE_LOCK_FORCE"),
  rollbackState: onWorkspace("STATE_ROLLBACK"),
  adoptRecoveredState: onWorkspace("STATE_WRITE"),
  discardRecoveredState: onWorkspace("STATE_WRITE"),

  createRun: onWorkspace("RUN_DEPLOY"),
  "createRun PLAN": { ...onWorkspace("RUN_PLAN"), more: { kind: "PLAN" } },
  "createRun DESTROY": { ...onWorkspace("RUN_DESTROY"), more: { kind: "DESTROY" } },
  "createRun UNLOCK": { ...onWorkspace("RUN_DEPLOY", "WORKSPACE_FORCE_UNLOCK"), more: { kind: "UNLOCK" } },
  createChangeset: onWorkspace("RUN_READ", "RUN_DEPLOY"),
  "createChangeset PLAN": { ...onWorkspace("RUN_READ", "RUN_PLAN"), more: { kind: "PLAN" } },
  approveChangeset: onRun("PLAN_APPROVE"),
  discardChangeset: onRun("RUN_CANCEL"),
  continueChangeset: onRun("RUN_DEPLOY"),
  approveRun: onRun("PLAN_APPROVE"),
  concludeVerification: onRun("APPLY_APPROVE"),
  overridePolicies: onRun("PLAN_APPROVE"),
  // A machine user is no person.
  requestPolicyException: { sight: "POLICY_READ", needs: ["POLICY_EXCEPT"], comesTo: "ForbiddenError" },
  decidePolicyException: { sight: "POLICY_READ", needs: ["POLICY_WRITE"], comesTo: "ForbiddenError" },
  revokePolicyException: { sight: "POLICY_READ", needs: ["POLICY_WRITE"] },
  withdrawApproval: { ...onRun("PLAN_APPROVE"), comesTo: "RunStateConflictError" },
  rejectRun: onRun("PLAN_APPROVE"),
  discardRun: onRun("RUN_DISCARD"),
  cancelRun: onRun("RUN_CANCEL"),
  "cancelRun force": { ...onRun("RUN_CANCEL", "RUN_FORCE_STOP"), more: { force: true } },
  commentOnRun: onRun("RUN_COMMENT"),
  prioritizeRun: onRun("RUN_DEPLOY"),
  promoteRun: onRun("RUN_DEPLOY"),
  replanRun: onRun("RUN_DEPLOY"),
  retryRun: onRun("RUN_DEPLOY"),
  rollbackRun: onRun("RUN_DEPLOY"),
  // Runs that are hidden match no filter.
  bulkRunAction: { sight: null, needs: ["RUN_READ", "RUN_CANCEL"] },
  stopBulkOperation: onlyBy("BULK_OTHERS"),

  createOrganization: { sight: null, needs: ["ORGANIZATION_UPDATE"] },
  updateOrganization: onOrganization("ORGANIZATION_UPDATE"),
  createRunnerPool: onOrganization("RUNNER_POOL_WRITE"),
  updateRunnerPool: onPool,
  deleteRunnerPool: onPool,
  createRunnerToken: onPool,
  revokeRunnerToken: onlyBy("RUNNER_POOL_WRITE"),
  drainRunner: onRunner,
  cycleRunner: onRunner,
  resumeRunner: onRunner,
  revokeRunner: onRunner,
  createInboundHook: { ...onOrganization("WEBHOOK_WRITE", "RUN_DEPLOY"), more: { kind: "DEPLOY" } },
  "createInboundHook PLAN": { ...onOrganization("WEBHOOK_WRITE", "RUN_PLAN"), more: { kind: "PLAN" } },
  deleteInboundHook: onlyBy("WEBHOOK_WRITE"),
  rotateInboundHookSecret: onlyBy("WEBHOOK_WRITE"),
  updateInboundHook: { sight: "WEBHOOK_WRITE", needs: ["RUN_PLAN"] },
  "updateInboundHook DEPLOY": { sight: "WEBHOOK_WRITE", needs: ["RUN_DEPLOY"], more: { kind: "DEPLOY" } },
  createPolicySet: onOrganization("POLICY_WRITE"),
  updatePolicySet: onPolicySet,
  deletePolicySet: onPolicySet,
  // It also takes PLAN_APPROVE on the workspace of the plan, which is of another organization.
  createPolicyFixture: { ...onPolicySet, comesTo: "InvalidInputError" },
  deletePolicyFixture: onPolicySet,
  simulatePolicySet: onPolicySet,
  stopPolicySimulation: onPolicySet,
  pushPolicySetVersion: onPolicySet,
  setPolicySetVersionState: onPolicySet,
  createPromotionPipeline: onOrganization("RUN_DEPLOY"),
  updatePromotionPipeline: onRun("RUN_DEPLOY"),
  deletePromotionPipeline: onRun("RUN_DEPLOY"),
  promoteChangeset: onRun("RUN_DEPLOY"),
  acknowledgeDrift: onRun("RUN_DEPLOY"),
  createSchedule: onWorkspace("RUN_DEPLOY"),
  "createSchedule DESTROY": { ...onWorkspace("RUN_DESTROY"), more: { action: "DESTROY" } },
  "createSchedule of drift": { ...onWorkspace("RUN_PLAN"), more: { action: "DETECT_DRIFT" } },
  "createSchedule of a task": { ...onWorkspace("RUN_TASK"), more: { action: "TASK", command: "true" } },
  "createSchedule of a label": { ...onOrganization("RUN_DEPLOY"), more: { workspaceId: null, label: "env:dev" } },
  updateSchedule: onRun("RUN_DEPLOY"),
  "updateSchedule DESTROY": { ...onRun("RUN_DEPLOY", "RUN_DESTROY"), more: { action: "DESTROY" } },
  deleteSchedule: onRun("RUN_DEPLOY"),
  runScheduleNow: onRun("RUN_DEPLOY"),
  createExternalCheck: onOrganization("CHECK_WRITE"),
  "createExternalCheck of a pool": {
    ...onOrganization("CHECK_WRITE", "RUNNER_CHOOSE"),
    more: { viaPoolId: ABSENT_POOL },
    comesTo: "InvalidInputError",
  },
  updateExternalCheck: onOrganization("CHECK_WRITE"),
  "updateExternalCheck to a pool": {
    ...onOrganization("CHECK_WRITE", "RUNNER_CHOOSE"),
    more: { viaPoolId: ABSENT_POOL },
    comesTo: "InvalidInputError",
  },
  deleteExternalCheck: onOrganization("CHECK_WRITE"),
  testExternalCheck: onOrganization("CHECK_WRITE"),
  retryExternalCheck: onRun("RUN_DEPLOY"),
  createWebhook: onOrganization("WEBHOOK_WRITE"),
  updateWebhook: onlyBy("WEBHOOK_WRITE"),
  deleteWebhook: onlyBy("WEBHOOK_WRITE"),
  testWebhook: onlyBy("WEBHOOK_WRITE"),
  rotateWebhookSecret: onlyBy("WEBHOOK_WRITE"),
  redeliverWebhook: onlyBy("WEBHOOK_WRITE"),
  createGitHost: onOrganization("ORGANIZATION_UPDATE"),
  updateGitHost: onlyBy("ORGANIZATION_UPDATE"),
  deleteGitHost: onlyBy("ORGANIZATION_UPDATE"),
  rotateHookSecret: onlyBy("ORGANIZATION_UPDATE"),
  createRepository: onlyBy("ORGANIZATION_UPDATE"),
  updateRepository: onRepository("ORGANIZATION_UPDATE"),
  lookAtRepository: onRepository("WORKSPACE_UPDATE"),
  deleteRepository: onRepository("ORGANIZATION_UPDATE"),

  createToken: { sight: null, needs: ["TOKEN_WRITE"] },
  revokeToken: onlyBy("TOKEN_WRITE"),
  updateToken: onlyBy("TOKEN_WRITE"),
  rotateToken: onlyBy("TOKEN_WRITE"),
  revokeSession: onlyBy("MEMBER_WRITE"),
  revokeSessions: onlyBy("MEMBER_WRITE"),
  renamePasskey: onlyBy("MEMBER_WRITE"),
  deletePasskey: onlyBy("MEMBER_WRITE"),
};

/** The name of the mutation of a line. */
export const mutationOf = (line: string): string => line.split(" ")[0] ?? "";
