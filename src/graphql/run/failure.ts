import { FAILURES, type FailureCategory, type FailureCode, type FailureStage } from "../../model/lifecycle/failure.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mapRecord } from "../kit/map-record.ts";
import { FailureRef } from "../kit/refs.ts";

const FailureStageEnum = describedEnum<FailureStage>(
  "FailureStage",
  "Where on its way a run failed.",
  {
    CLONE: "While its source was fetched or unpacked.",
    DETECT: "While it was found out what is to be deployed.",
    AUTH: "While credentials were asked for or used.",
    BUILD: "While something that the deployment needs was built.",
    PUBLISH: "While what was built was published.",
    SETUP: "While the runner prepared its work folder and its engine.",
    INIT: "While the engine initialised.",
    PLAN: "While the plan was made.",
    POLICY: "While policies judged the plan.",
    APPROVAL: "While people decided about the plan.",
    APPLY: "While the plan was applied: infrastructure may have changed.",
    DEPLOY: "While a command was run.",
    ROLLOUT: "While the applied change was rolled out.",
    VERIFY: "While probes checked the result.",
    ROLLBACK: "While an earlier state was restored.",
    UNKNOWN: "Nobody knows.",
  },
  ["DETECT", "AUTH", "BUILD", "PUBLISH", "POLICY", "ROLLOUT", "VERIFY", "ROLLBACK"],
);

const FailureCategoryEnum = describedEnum<FailureCategory>(
  "FailureCategory",
  "Who or what has to be fixed.",
  {
    AUTH_FAILURE: "Credentials: renew them or give them more rights.",
    BUILD_FAILURE: "The build of something that is deployed.",
    STARTUP_FAILURE: "What was deployed does not start.",
    HEALTH_CHECK_FAILURE: "What was deployed runs, but is not healthy.",
    ROLLBACK_FAILURE: "The way back: somebody must look at what runs now.",
    INFRASTRUCTURE_FAILURE: "A provider or the network between.",
    CONFIGURATION_FAILURE: "The configuration, its modules or its providers.",
    POLICY_FAILURE: "A rule or a person said no.",
    RUNNER_FAILURE: "The machine that did the work.",
    STATE_FAILURE: "The state of the workspace, or its lock.",
    UNKNOWN_FAILURE: "Fits nowhere else; the message says what there is.",
  },
  ["AUTH_FAILURE", "BUILD_FAILURE", "STARTUP_FAILURE", "HEALTH_CHECK_FAILURE", "ROLLBACK_FAILURE"],
);

const FailureCodeEnum = describedEnum<FailureCode>(
  "FailureCode",
  "Every way in which a run can fail. Codes are never renamed.",
  mapRecord<FailureCode, { meaning: string }, string>(FAILURES, ({ meaning }) => meaning),
  [
    "AUTHENTICATION_FAILED",
    "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED",
    "DEPLOYMENT_VERIFICATION_FAILED",
    "AUTOMATIC_ROLLBACK_FAILED",
    "AUTOMATIC_ROLLBACK_NO_CANDIDATE",
    "MANUAL_ROLLBACK_FAILED",
    "INFRASTRUCTURE_NETWORK_FAILURE",
    "POLICY_DENIED",
    "POLICY_ERROR",
    "DEPENDENCY_FAILED",
  ],
);

FailureRef.implement({
  description: "Why a run ended badly, for programs and for people.",
  fields: (t) => ({
    stage: t.expose("stage", { type: FailureStageEnum, description: "Where it happened." }),
    category: t.expose("category", { type: FailureCategoryEnum, description: "Who or what has to be fixed." }),
    code: t.expose("code", { type: FailureCodeEnum, description: "What happened; stable, to be matched on." }),
    retryable: t.exposeBoolean("retryable", { description: "Whether the same run again may succeed by itself." }),
    summary: t.exposeString("summary", { description: "One line." }),
    message: t.exposeString("message", { description: "The whole message of the engine, masked." }),
    likelyCause: t.exposeString("likelyCause", {
      nullable: true,
      description: "What probably led to it, where the message is a known one.",
    }),
    evidence: t.exposeStringList("evidence", {
      description: "One to six log lines that show it; empty only where nothing was logged.",
    }),
    appliedAddresses: t.exposeStringList("appliedAddresses", {
      nullable: true,
      description: "An apply that ended badly: what it did before that; null where that is not known.",
    }),
    stateUncertain: t.exposeBoolean("stateUncertain", {
      description: "The apply was interrupted and nobody knows how far it got.",
    }),
  }),
});
