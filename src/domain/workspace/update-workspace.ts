import { isDeepStrictEqual } from "node:util";
import type { DeployShape } from "../../model/workspace/deploy-shape.ts";
import type { TestMode } from "../../model/workspace/test-mode.ts";
import type { GivenProbe } from "../../model/probe/kept-secrets.ts";
import type { WorkspaceSourceInput } from "../source/source-input.ts";
import type { WorkspaceSettingsInput } from "./settings-input.ts";
import type { PlanApprovalMode } from "../../model/lifecycle/run-machine.ts";
import { AUTO_APPLY_MODES, type AutoApply } from "../../model/plan/auto-apply.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Workspace, WorkspaceSource } from "../../model/workspace/workspace.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { ringWorkspace } from "../../persistence/run/alarm-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listProbes, listProbeSettings, replaceProbes } from "../../persistence/probe/probe-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import { updateWorkspaceSettings, type WorkspaceSettings } from "../../persistence/workspace/workspace-store.ts";
import { authorize, type Demand } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkApprovers, holdNamedTeams } from "../rules/check-approvers.ts";
import { checkRules, changedRules, namesRules, removesApprovalRules, rulesAfter } from "../rules/rules-input.ts";
import { type ReadSettings, requireRead, workspaceSettingsDigest } from "../rules/settings-digest.ts";
import { settleGates } from "../lifecycle/settle-gates.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { GIT_PASSWORD, redirectsPassword } from "../source/git-credentials.ts";
import { checkGitSourceChange, type GitSourceChange, withGitSourceChange } from "../source/git-source-change.ts";
import { holdSource, resolveSource } from "../source/resolve-source.ts";
import { checkHooks, toHooks } from "./hook-input.ts";
import { changeExpiry, checkExpiry, expiresEarlier, expiryDemands } from "./expiry-input.ts";
import { checkLabels, toLabels } from "./label-input.ts";
import { runDemands } from "./run-demands.ts";
import { checkProbes, type ProbesInput, takeSecrets } from "./probe-input.ts";
import { checkRunnerChoice, runnerChoiceAfter } from "./runner-choice.ts";
import { commandWorkspaceInSteps, relockWorkspace } from "./workspace-command.ts";
import { checkDriftSettings, driftSettingsAfter } from "./drift-input.ts";
import { checkTrigger, requireRepository, triggerAfter } from "./trigger-input.ts";
import { checkRollback, rollbackAfter, type RollbackSettingsInput } from "./rollback-input.ts";
import { checkVerification, verificationAfter, type VerificationSettingsInput } from "./verification-input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { checkWorkspaceName } from "./workspace-input.ts";

/** Absent fields stay unchanged; `null` clears `description` and is invalid elsewhere. */
export interface UpdateWorkspaceInput extends WorkspaceSettingsInput, ReadSettings {
  workspaceId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  source?: WorkspaceSourceInput | null | undefined;
  gitSource?: GitSourceChange | null | undefined;
  planApproval?: PlanApprovalMode | null | undefined;
  autoApply?: AutoApply | null | undefined;
  paused?: boolean | null | undefined;
  verificationSettings?: VerificationSettingsInput | null | undefined;
  rollbackSettings?: RollbackSettingsInput | null | undefined;
  probes?: ProbesInput;
  tests?: TestMode | null | undefined;
  /** `null`: that of a hook holds. */
  deployShape?: DeployShape | null | undefined;
  hasStartCommand?: boolean | null | undefined;
}

/**
 * Updates the given fields. Throws INVALID_INPUT if the caller has read other settings. Existing runs keep their source.
 * Changed gates apply to runs that have not passed them.
 */
export function updateWorkspace(deps: Deps, caller: ActorCaller, input: UpdateWorkspaceInput): Promise<Workspace> {
  const { database } = deps;
  const spec = {
    ...UPDATE,
    name: "updateWorkspace",
    presence: (before: Workspace) => (loosensGates(before, input) ? "ALWAYS" : undefined),
    workspaceId: input.workspaceId,
    demands: demandsOf(input),
    check: (check: InputCheck, found: Workspace) => checkInput(deps, caller, check, { input, before: found }),
  };
  return commandWorkspaceInSteps(deps, caller, spec, async ({ organizationId }, check) => {
    check.done();
    // Before the transaction, because the disk may be slow.
    const owner = { caller, organizationId };
    const source = input.source ? await resolveSource(deps, input.source, owner) : null;
    try {
      return await database.transaction((tx) => change(tx, deps, caller, input, source));
    } catch (error) {
      if (!violates(error, "workspace_name")) throw error;
      throw new UserError(
        "NAME_TAKEN",
        `The organization already has a workspace "${input.name}". Choose another name.`,
      );
    }
  });
}

/** Settings that decide about applies. */
const GATES = ["planApproval", "autoApply", "interruptApply", "tasksAllowed", "tests"] as const;
const DELETE = { permission: "WORKSPACE_DELETE", words: "letting workspaces expire earlier" } as const satisfies Demand;
const UPDATE = { permission: "WORKSPACE_UPDATE", words: "changing workspaces" } as const satisfies Demand;

function demandsOf(input: UpdateWorkspaceInput): Demand[] {
  const demands: Demand[] = [];
  if (namesRules(input) || GATES.some((field) => input[field] !== undefined) || namesVerification(input)) {
    const words = "changing the approval and the limits of applies";
    demands.push({ permission: "GATE_WRITE", words });
  }
  return [...demands, ...runDemands(input), ...expiryDemands(input.expiresAt)];
}

/** Whether the input changes what becomes of an apply after its end. */
function namesVerification({ verificationSettings, rollbackSettings }: UpdateWorkspaceInput): boolean {
  return verificationSettings !== undefined || rollbackSettings !== undefined;
}

/** Whether an apply may need fewer approvals afterwards. */
function loosensGates(before: Workspace, input: UpdateWorkspaceInput): boolean {
  const losesPlanApproval = before.planApproval === "ALWAYS" && (input.planApproval ?? "ALWAYS") !== "ALWAYS";
  const appliesMore =
    AUTO_APPLY_MODES.indexOf(input.autoApply ?? before.autoApply) > AUTO_APPLY_MODES.indexOf(before.autoApply);
  const rollsBack = (input.rollbackSettings?.mode ?? before.rollback.mode) === "AUTO_SAFE";
  const appliesAlone = rollsBack && before.rollback.mode !== "AUTO_SAFE";
  return losesPlanApproval || appliesMore || appliesAlone || removesApprovalRules(before.rules, input);
}

const NOT_CLEARED = ["name", "source", "paused", "lockScope", ...GATES] as const;

async function checkInput(
  deps: Deps,
  caller: ActorCaller,
  check: InputCheck,
  { input, before }: { input: UpdateWorkspaceInput; before: Workspace },
): Promise<void> {
  const { database, clock } = deps;
  for (const field of NOT_CLEARED) check.require(input[field] !== null, field, "cannot be cleared.");
  if (typeof input.name === "string") checkWorkspaceName(check, input.name);
  check.text("description", input.description ?? null);
  check.require(!(input.source && input.gitSource), "gitSource", "cannot be given together with `source`.");
  checkGitSourceChange(check, input.gitSource);
  checkHooks(check, input.hooks);
  checkLabels(check, input.labels);
  checkExpiry(check, input.expiresAt, clock());
  checkTrigger(check, input.trigger);
  checkDriftSettings(check, input.drift);
  checkRunnerChoice(check, input);
  checkRules(check, input, clock());
  const [organization = null] = await findOrganizations(database, [before.organizationId]);
  const planAlways = (input.planApproval ?? before.planApproval) === "ALWAYS";
  checkVerification(check, before.verification, input.verificationSettings);
  checkRollback(check, before.rollback, input.rollbackSettings, planAlways);
  const context = {
    caller,
    before: before.rules.approvalRules,
    others: organization?.rules.approvalRules ?? [],
    planAlways,
    place: workspacePlace(before),
  };
  await checkApprovers(database, deps, check, input.approvalRules, context);
  await checkProbes(deps, check, input.probes, { ...deps, workspaceId: before.id });
}

/** Returns the merged settings; absent fields stay unchanged. */
function settingsAfter(
  before: Workspace,
  input: UpdateWorkspaceInput,
  source: WorkspaceSource | null,
): Omit<WorkspaceSettings, "runnerPoolId" | "runnerLabels"> {
  return {
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    source: source ?? before.source,
    planApproval: input.planApproval ?? before.planApproval,
    autoApply: input.autoApply ?? before.autoApply,
    paused: input.paused ?? before.paused,
    lockScope: input.lockScope ?? before.lockScope,
    interruptApply: input.interruptApply ?? before.interruptApply,
    tasksAllowed: input.tasksAllowed ?? before.tasksAllowed,
    labels: input.labels ? toLabels(input.labels) : before.labels,
    hooks: input.hooks ? toHooks(input.hooks) : before.hooks,
    trigger: triggerAfter(before.trigger, input.trigger),
    driftSettings: driftSettingsAfter(before.driftSettings, input.drift),
    verification: verificationAfter(before.verification, input.verificationSettings),
    rollback: rollbackAfter(before.rollback, input.rollbackSettings),
    tests: input.tests ?? before.tests,
    deployShape: input.deployShape === undefined ? before.deployShape : input.deployShape,
    hasStartCommand: input.hasStartCommand === undefined ? before.hasStartCommand : input.hasStartCommand,
    rules: rulesAfter(before.rules, input),
  };
}

const SETTINGS = [
  "description",
  "runnerLabels",
  "labels",
  "hooks",
  "trigger",
  "driftSettings",
  "deployShape",
  "hasStartCommand",
  ...NOT_CLEARED,
] as const;

/** Settings that no run waits for. */
const TEXTS: readonly string[] = [
  "name",
  "description",
  "source",
  "labels",
  "hooks",
  "probes",
  "trigger",
  "driftSettings",
  "expiresAt",
  "expiryProblem",
  "verificationSettings",
  "rollbackSettings",
  "tests",
  "deployShape",
  "hasStartCommand",
  "deployTarget",
];

/** Returns the fields of Workspace that differ. */
function changedSettings(before: Workspace, settings: WorkspaceSettings): string[] {
  const moved = changedRules(before.rules, settings.rules);
  const differs = (field: keyof WorkspaceSettings): boolean =>
    JSON.stringify(settings[field]) !== JSON.stringify(before[field]);
  return [
    ...SETTINGS.filter(differs),
    ...(differs("verification") ? ["verificationSettings"] : []),
    ...(differs("rollback") ? ["rollbackSettings"] : []),
    ...(differs("deployShape") || differs("hasStartCommand") ? ["deployTarget"] : []),
    ...(settings.runnerPoolId === before.runnerPoolId ? [] : ["runnerPool"]),
    ...moved,
    ...(moved.includes("limits") ? ["effectiveLimits"] : []),
  ];
}

async function change(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  input: UpdateWorkspaceInput,
  given: WorkspaceSource | null,
): Promise<Workspace> {
  const before = await relockWorkspace(tx, deps, caller, UPDATE, input.workspaceId);
  if (typeof input.settingsDigest === "string") {
    const [probes = []] = await listProbeSettings(tx, [before.id]);
    requireRead(input, workspaceSettingsDigest(before, probes));
  }
  await holdNamedTeams(tx, input.approvalRules);
  const runners = await runnerChoiceAfter(tx, before.organizationId, before, input);
  const source = input.gitSource ? withGitSourceChange(before, input.gitSource, caller) : given;
  const held = source === null ? null : await holdSource(tx, source);
  const settings = { ...settingsAfter(before, input, held), ...runners };
  requireRepository(settings.trigger, settings.source);
  const fields = changedSettings(before, settings);
  const expiresAt = input.expiresAt === undefined ? before.expiresAt : input.expiresAt;
  if (expiresAt !== before.expiresAt) {
    if (expiresEarlier(before, expiresAt)) authorize(caller, DELETE, workspacePlace(before));
    await changeExpiry(tx, deps, before.id, { expiresAt, actorId: caller.actor.id });
    fields.push("expiresAt", "expiryProblem");
  }
  if (input.probes && (await changeProbes(tx, deps, before.id, input.probes))) fields.push("probes");
  if (fields.length === 0) return before;
  if (redirectsPassword(before.source, settings.source)) await refusePassword(tx, deps, before.id);
  await updateWorkspaceSettings(tx, before.id, settings);
  await recordWorkspaceChange(tx, deps, before, caller.actor.id, fields);
  if (fields.some((field) => !TEXTS.includes(field))) {
    await ringWorkspace(tx, before.id, deps.clock().toISOString());
    await settleWorkspace(tx, deps, before.id);
  }
  if (fields.includes("approvalRules")) await settleGates(tx, deps, before.id, caller.actor.id);
  const expiryProblem = expiresAt === before.expiresAt ? before.expiryProblem : null;
  return { ...before, ...settings, expiresAt, expiryProblem };
}

/** Replaces the probes; returns whether they differ. */
async function changeProbes(
  tx: Transaction,
  { cipher }: Deps,
  workspaceId: string,
  input: readonly GivenProbe[],
): Promise<boolean> {
  const [before = []] = await listProbes(tx, cipher, [workspaceId]);
  const probes = takeSecrets(input, before);
  // Objects of GraphQL have no prototype, and so are equal to none that was stored.
  const given: unknown = JSON.parse(JSON.stringify(probes));
  if (isDeepStrictEqual(before, given)) return false;
  await replaceProbes(tx, cipher, workspaceId, probes);
  return true;
}

/** Refuses a source that would send the password to another host, because no API returns the password. */
async function refusePassword(tx: Transaction, { cipher }: Deps, workspaceId: string): Promise<void> {
  const [variables = []] = await listVariables(tx, cipher, [workspaceId]);
  if (!variables.some(({ category, key }) => category === "ENVIRONMENT" && key === GIT_PASSWORD)) return;
  throw invalidField(
    "source.git.url",
    `is on another host than before, which would be sent the password of the workspace: delete the variable ${GIT_PASSWORD} first, and set it again afterwards.`,
  );
}
