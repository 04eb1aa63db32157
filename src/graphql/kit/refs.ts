/** The types that several folders refer to, and their loaders by id. Each is implemented in the file of its resource. */
import { loaderById, loaderOf } from "./loader.ts";
import type { StateLock } from "../../domain/workspace/state-lock.ts";
import type { Approval } from "../../model/approval/approval.ts";
import type { Blocker } from "../../model/admission/blocker.ts";
import type { Failure } from "../../model/lifecycle/failure.ts";
import type { ExternalCheck, ExternalCheckResult } from "../../model/check/external-check.ts";
import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import type { PolicyDenial } from "../../model/kit/user-error.ts";
import type { LogLine } from "../../model/log/log.ts";
import type { Phase } from "../../model/run/phase.ts";
import type { PolicyEvaluation } from "../../model/policy/policy-evaluation.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { ShownGitHost } from "../../model/repository/git-host.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { RunSummary } from "../../model/run/run.ts";
import type { RunComment } from "../../model/run/run-comment.ts";
import type { Runner, RunnerPool, RunnerToken } from "../../model/runner/runner.ts";
import type { StateVersion } from "../../model/state/state-version.ts";
import type { Project } from "../../model/people/project.ts";
import type { Role } from "../../model/people/role.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import type { Team } from "../../model/people/team.ts";
import type { Token } from "../../model/people/token.ts";
import type { Verification } from "../../model/verification/verification.ts";
import type { Webhook, WebhookDelivery } from "../../model/webhook/webhook.ts";
import type { Organization, Workspace, WorkspaceLock } from "../../model/workspace/workspace.ts";
import { builder } from "./builder.ts";

export const OrganizationRef = builder.objectRef<Organization>("Organization");
export const WorkspaceRef = builder.objectRef<Workspace>("Workspace");
export const WorkspaceLockRef = builder.objectRef<WorkspaceLock>("WorkspaceLock");
export const StateLockRef = builder.objectRef<StateLock>("StateLock");
/** With fields that show more: see `wholeRunField`. */
export const RunRef = builder.objectRef<RunSummary>("Run");
export const ChangesetRef = builder.objectRef<SeenChangeset>("Changeset");
export const PlanRef = builder.objectRef<Plan>("Plan");
export const PhaseRef = builder.objectRef<Phase>("Phase");
export const ApprovalRef = builder.objectRef<Approval>("Approval");
export const PolicyEvaluationRef = builder.objectRef<PolicyEvaluation>("PolicyEvaluation");
export const PolicyDenialRef = builder.objectRef<PolicyDenial>("PolicyDenial");
export const RunCommentRef = builder.objectRef<RunComment>("RunComment");
export const BlockerRef = builder.objectRef<Blocker>("Blocker");
export const FailureRef = builder.objectRef<Failure>("Failure");
export const LogLineRef = builder.objectRef<LogLine>("LogLine");
export const StateVersionRef = builder.objectRef<StateVersion>("StateVersion");
export const TokenRef = builder.objectRef<Token>("Token");
export const ProjectRef = builder.objectRef<Project>("Project");
export const TeamRef = builder.objectRef<Team>("Team");
export const RoleRef = builder.objectRef<Role>("Role");
export const GrantRef = builder.objectRef<RoleGrant>("Grant");
export const RunnerRef = builder.objectRef<Runner>("Runner");
export const RunnerPoolRef = builder.objectRef<RunnerPool>("RunnerPool");
export const RunnerTokenRef = builder.objectRef<RunnerToken>("RunnerToken");
export const GitHostRef = builder.objectRef<ShownGitHost>("GitHost");
export const RepositoryRef = builder.objectRef<Repository>("Repository");
export const RefChangeRef = builder.objectRef<RefChange>("RefChange");
export const ExternalCheckRef = builder.objectRef<ExternalCheck>("ExternalCheck");
export const ExternalCheckResultRef = builder.objectRef<ExternalCheckResult>("ExternalCheckResult");
export const VerificationRef = builder.objectRef<Verification>("Verification");
export const WebhookRef = builder.objectRef<Webhook>("Webhook");
export const WebhookDeliveryRef = builder.objectRef<WebhookDelivery>("WebhookDelivery");

export const organizationLoader = loaderById(["organization"], (domain, caller, ids) =>
  domain.organizations(caller, ids),
);
export const stateVersionLoader = loaderById(["stateVersion"], (domain, caller, ids) =>
  domain.stateVersions(caller, ids),
);
export const workspaceLoader = loaderById(["workspace"], (domain, caller, ids) => domain.workspaces(caller, ids));
/** For operations without a field of the whole run. */
export const runSummaryLoader = loaderById(["run"], (domain, caller, ids) => domain.runSummaries(caller, ids));
export const runLoader = loaderById(["run"], (domain, caller, ids) => domain.runs(caller, ids));
export const changesetLoader = loaderById(["changeset"], (domain, caller, ids) => domain.changesets(caller, ids));
export const approvalLoader = loaderById(["approval"], (domain, caller, ids) => domain.approvals(caller, ids));
export const policyEvaluationLoader = loaderById(["policyEvaluation"], (domain, caller, ids) =>
  domain.policyEvaluations(caller, ids),
);
export const projectLoader = loaderById(["project"], (domain, caller, ids) => domain.projects(caller, ids));
export const teamLoader = loaderById(["team"], (domain, caller, ids) => domain.teams(caller, ids));
export const roleLoader = loaderById(["role"], (domain, caller, ids) => domain.roles(caller, ids));
export const grantLoader = loaderById(["grant"], (domain, caller, ids) => domain.grants(caller, ids));
export const runnerLoader = loaderById(["runner"], (domain, caller, ids) => domain.runners(caller, ids));
export const runnerPoolLoader = loaderById(["runnerPool"], (domain, caller, ids) => domain.runnerPools(caller, ids));
export const gitHostLoader = loaderById(["gitHost"], (domain, caller, ids) => domain.gitHosts(caller, ids));
export const repositoryLoader = loaderById(["repository"], (domain, caller, ids) => domain.repositories(caller, ids));
export const refChangeLoader = loaderById(["refChange"], (domain, caller, ids) => domain.refChanges(caller, ids));
export const webhookLoader = loaderById(["webhook"], (domain, caller, ids) => domain.webhooks(caller, ids));
export const verificationOfRunLoader = loaderOf((domain, caller, ids) => domain.verificationsOfRuns(caller, ids));
export const verificationLoader = loaderById(["verification"], (domain, caller, ids) =>
  domain.verifications(caller, ids),
);
export const checkResultLoader = loaderById(["externalCheckResult"], (domain, caller, ids) =>
  domain.checkResults(caller, ids),
);
