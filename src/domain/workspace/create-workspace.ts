import type { WorkspaceSourceInput } from "../source/source-input.ts";
import type { WorkspaceSettingsInput } from "./settings-input.ts";
import type { PlanApprovalMode } from "../../model/lifecycle/run-machine.ts";
import type { AutoApply } from "../../model/plan/auto-apply.ts";
import { defaultProjectId } from "../../model/people/project-tree.ts";
import { idKind } from "../../model/kit/id.ts";
import type { Project } from "../../model/people/project.ts";
import { findProjects, holdProject } from "../../persistence/organization/project-store.ts";
import { organizationPlace, projectPlace } from "../../model/people/place.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";
import { type Reader, violates } from "../../persistence/database/database.ts";
import { findOrganizationBySlug } from "../../persistence/organization/organization-store.ts";
import { insertWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandInSteps, type Demand } from "../access/command.ts";
import { EMPTY_RULES } from "../../model/approval/run-rules.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { checkApprovers, holdNamedTeams } from "../rules/check-approvers.ts";
import { checkRules, namesRules, rulesAfter } from "../rules/rules-input.ts";
import { holdSource, resolveSource } from "../source/resolve-source.ts";
import { checkHooks, toHooks } from "./hook-input.ts";
import { changeExpiry, checkExpiry, expiryDemands } from "./expiry-input.ts";
import { checkLabels, toLabels } from "./label-input.ts";
import { runDemands } from "./run-demands.ts";
import { checkRunnerChoice, runnerChoiceAfter } from "./runner-choice.ts";
import { DEFAULT_DRIFT_SETTINGS } from "../../model/workspace/drift-settings.ts";
import { NO_TRIGGER } from "../../model/workspace/workspace-trigger.ts";
import { checkDriftSettings, driftSettingsAfter } from "./drift-input.ts";
import { checkTrigger, requireRepository, triggerAfter } from "./trigger-input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { checkWorkspaceName } from "./workspace-input.ts";

/** Absent settings have their defaults; `null` is invalid. */
export interface CreateWorkspaceInput extends WorkspaceSettingsInput {
  organization: string;
  /** `null`: the default project of the organization. */
  projectId: string | null;
  name: string;
  description: string | null;
  source: WorkspaceSourceInput;
  planApproval: PlanApprovalMode;
  autoApply: AutoApply;
}

/**
 * Creates a workspace. Names are unique within the organization. The first run shows whether a repository can be
 * reached.
 */
export function createWorkspace(deps: Deps, caller: ActorCaller, input: CreateWorkspaceInput): Promise<Workspace> {
  const { database } = deps;
  const slug = input.organization;
  const spec = {
    name: "createWorkspace",
    subjectId: input.name,
    noun: input.projectId === null ? "organization" : "project",
    find: (reader: Reader) => findTarget(reader, caller, slug, input.projectId),
    placeOf: ({ project }: Target) => projectPlace(project),
    // Who may see anything in an organization sees it, but not each of its projects.
    ...(input.projectId === null ? IN_DEFAULT_PROJECT : { sight: "PROJECT_READ" as const }),
    permission: "WORKSPACE_CREATE",
    words: "creating workspaces",
    demands: demandsOf(input),
    check: (check: InputCheck, target: Target) => checkInput(deps, caller, check, { input, target }),
  } as const;
  return commandInSteps(deps, caller, spec, async ({ organization, project }, check) => {
    check.done();
    const found = await resolveSource(deps, input.source, { caller, organizationId: organization.id });
    const trigger = triggerAfter(NO_TRIGGER, input.trigger);
    requireRepository(trigger, found);
    try {
      return await database.transaction(async (tx) => {
        if ((await holdProject(tx, project.id)) === null) throw notFound("project");
        await holdNamedTeams(tx, input.approvalRules);
        const source = await holdSource(tx, found);
        const runners = await runnerChoiceAfter(tx, organization.id, { runnerPoolId: null, runnerLabels: [] }, input);
        const workspace = await insertWorkspace(tx, {
          ...runners,
          id: deps.newId("workspace"),
          organizationId: organization.id,
          projectId: project.id,
          name: input.name,
          description: input.description,
          source,
          planApproval: input.planApproval,
          autoApply: input.autoApply,
          lockScope: input.lockScope ?? "RUN",
          interruptApply: input.interruptApply ?? false,
          tasksAllowed: input.tasksAllowed ?? false,
          hooks: toHooks(input.hooks ?? []),
          labels: toLabels(input.labels ?? []),
          trigger,
          driftSettings: driftSettingsAfter(DEFAULT_DRIFT_SETTINGS, input.drift),
          rules: rulesAfter(EMPTY_RULES, input),
          createdAt: deps.clock().toISOString(),
        });
        const expiresAt = input.expiresAt ?? null;
        if (expiresAt !== null) await changeExpiry(tx, deps, workspace.id, { expiresAt, actorId: caller.actor.id });
        await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["created"]);
        return { ...workspace, expiresAt };
      });
    } catch (error) {
      if (!violates(error, "workspace_name")) throw error;
      throw new UserError(
        "NAME_TAKEN",
        `The organization already has a workspace "${input.name}". Choose another name.`,
      );
    }
  });
}

/** Without a project, the organization is what the caller must see. */
const IN_DEFAULT_PROJECT = {
  sight: "ORGANIZATION_READ",
  sightOf: ({ organization }: Target) => organizationPlace(organization),
  remedy:
    "Without `projectId` a workspace goes into the project `default`: name one in which you may create workspaces.",
} as const;

/** Where a workspace goes. */
interface Target {
  organization: Organization;
  project: Pick<Project, "id" | "organizationId">;
}

async function findTarget(
  reader: Reader,
  caller: ActorCaller,
  slug: string,
  projectId: string | null,
): Promise<Target | null> {
  const organization = isStorable(slug) ? await findOrganizationBySlug(reader, slug) : null;
  // The statement of the project would show that a hidden organization exists.
  if (organization === null || !can(caller, "ORGANIZATION_READ", organizationPlace(organization))) return null;
  const organizationId = organization.id;
  if (projectId === null) return { organization, project: { id: defaultProjectId(organizationId), organizationId } };
  const [project = null] = idKind(projectId) === "project" ? await findProjects(reader, [projectId]) : [];
  return project?.organizationId === organizationId ? { organization, project } : null;
}

function demandsOf(input: CreateWorkspaceInput): Demand[] {
  const demands: Demand[] = [];
  if (input.autoApply !== "NEVER") {
    demands.push({ permission: "GATE_WRITE", words: "setting autoApply" });
  }
  if (namesRules(input) || input.interruptApply === true || input.tasksAllowed === true) {
    const words = "setting the approval and the limits of applies";
    demands.push({ permission: "GATE_WRITE", words });
  }
  return [...demands, ...runDemands(input), ...expiryDemands(input.expiresAt)];
}

const NOT_CLEARED = ["lockScope", "interruptApply", "tasksAllowed"] as const;

async function checkInput(
  deps: Deps,
  caller: ActorCaller,
  check: InputCheck,
  { input, target }: { input: CreateWorkspaceInput; target: Target },
): Promise<void> {
  const { database, clock } = deps;
  const { organization, project } = target;
  checkWorkspaceName(check, input.name);
  check.text("description", input.description);
  for (const field of NOT_CLEARED) check.require(input[field] !== null, field, "cannot be null.");
  checkHooks(check, input.hooks);
  checkLabels(check, input.labels);
  checkExpiry(check, input.expiresAt, clock());
  checkTrigger(check, input.trigger);
  checkDriftSettings(check, input.drift);
  checkRunnerChoice(check, input);
  checkRules(check, input, clock());
  const context = {
    caller,
    before: [],
    others: organization.rules.approvalRules,
    planAlways: input.planApproval === "ALWAYS",
    place: projectPlace(project),
  };
  await checkApprovers(database, deps, check, input.approvalRules, context);
}
