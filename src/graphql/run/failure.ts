import { FAILURES, type FailureCategory, type FailureCode, type FailureStage } from "../../model/lifecycle/failure.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mapRecord } from "../kit/map-record.ts";
import { FailureRef, WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";

const FailureStageEnum = describedEnum<FailureStage>(
  "FailureStage",
  "The step at which a run failed.",
  {
    CLONE: "The source was being fetched or unpacked.",
    DETECT: "The contents of the source were being detected.",
    AUTH: "Credentials were being requested or used.",
    BUILD: "An artifact of the deployment was being built.",
    PUBLISH: "An artifact was being published.",
    SETUP: "The runner was preparing its work folder and its engine.",
    INIT: "The engine was initialising.",
    PLAN: "The plan was being made.",
    POLICY: "Policies were checking the plan.",
    APPROVAL: "The plan was waiting for approval.",
    APPLY: "The plan was being applied: infrastructure may have changed.",
    DEPLOY: "A command was executing.",
    ROLLOUT: "The applied change was being rolled out.",
    VERIFY: "Probes were checking the result.",
    ROLLBACK: "An earlier state was being restored.",
    UNKNOWN: "The step is not known.",
  },
  ["DETECT", "AUTH", "BUILD", "PUBLISH", "ROLLOUT", "ROLLBACK"],
);

const FailureCategoryEnum = describedEnum<FailureCategory>(
  "FailureCategory",
  "The area that has to be fixed.",
  {
    AUTH_FAILURE: "Credentials failed: renew them or give them more rights.",
    BUILD_FAILURE: "The build of an artifact failed.",
    STARTUP_FAILURE: "The deployment does not start.",
    HEALTH_CHECK_FAILURE: "The deployment runs, but is not healthy.",
    ROLLBACK_FAILURE: "The rollback failed: check the infrastructure by hand.",
    INFRASTRUCTURE_FAILURE: "A provider or the network failed.",
    CONFIGURATION_FAILURE: "The configuration, its modules or its providers have an error.",
    POLICY_FAILURE: "A rule or a person rejected the run.",
    RUNNER_FAILURE: "The runner failed.",
    STATE_FAILURE: "The state of the workspace, or its lock, caused the failure.",
    UNKNOWN_FAILURE: "The category is not known; read the message.",
  },
  ["AUTH_FAILURE", "BUILD_FAILURE", "STARTUP_FAILURE", "ROLLBACK_FAILURE"],
);

const FailureCodeEnum = describedEnum<FailureCode>(
  "FailureCode",
  "The cause of a failed run. Codes are never renamed.",
  mapRecord<FailureCode, { meaning: string }, string>(FAILURES, ({ meaning }) => meaning),
  [
    "AUTHENTICATION_FAILED",
    "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED",
    "AUTOMATIC_ROLLBACK_FAILED",
    "AUTOMATIC_ROLLBACK_NO_CANDIDATE",
    "MANUAL_ROLLBACK_FAILED",
    "INFRASTRUCTURE_NETWORK_FAILURE",
  ],
);

FailureRef.implement({
  description: "The reason why a run failed, for programs and for people.",
  fields: (t) => ({
    stage: t.expose("stage", { type: FailureStageEnum, description: "The step that failed." }),
    category: t.expose("category", { type: FailureCategoryEnum, description: "The area that has to be fixed." }),
    code: t.expose("code", { type: FailureCodeEnum, description: "The cause, for programs. Codes are stable." }),
    retryable: t.exposeBoolean("retryable", { description: "Whether a retry may succeed without a change." }),
    summary: t.exposeString("summary", { description: "The failure in one line." }),
    message: t.exposeString("message", { description: "The full message of the engine, with secrets masked." }),
    likelyCause: t.exposeString("likelyCause", {
      nullable: true,
      description: "The probable cause. `null` if the message is not a known one.",
    }),
    evidence: t.exposeStringList("evidence", {
      description: "One to six log lines that show the failure; empty only if nothing was logged.",
    }),
    appliedAddresses: t.exposeStringList("appliedAddresses", {
      nullable: true,
      description: "The changes that a failed apply made. `null` if they are not known, or no apply failed.",
    }),
    stateUncertain: t.exposeBoolean("stateUncertain", {
      description: "Whether an apply was interrupted, so that its result is not known.",
    }),
    upstreams: t.field({
      type: [WorkspaceRef],
      extensions: LEAVES_WORKSPACE,
      description:
        "The workspaces upstream that were not applied, or lack an output, as far as the caller may read them. Empty for other failures.",
      resolve: async ({ upstreamIds = [] }, _args, { loaders }) => {
        const found = await Promise.all(upstreamIds.map((id) => loaders.load(workspaceLoader, id)));
        return found.filter((workspace) => workspace !== null);
      },
    }),
  }),
});
