import type { FailedResource } from "../../model/lifecycle/failure.ts";
import {
  FAILURES,
  type FailureCategory,
  type FailureCode,
  type FailureStage,
} from "../../model/lifecycle/failure-code.ts";
import { FAILURE_CATALOGUE, type FailureEntry } from "../../model/lifecycle/failure-catalogue.ts";
import { FAILURE_REASONS, type FailureReason } from "../../model/lifecycle/failure-reason.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mapRecord } from "../kit/map-record.ts";
import { FailureRef, WorkspaceRef, workspaceLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";

const FailureStageEnum = describedEnum<FailureStage>("FailureStage", "The step at which a run failed.", {
  CLONE: "The source was being fetched or unpacked.",
  DETECT: "The contents of the source were being detected.",
  AUTH: "Credentials were being requested or used.",
  BUILD: "An artifact of the deployment was being built.",
  PUBLISH: "An artifact was being published.",
  SETUP: "The runner was preparing its work folder and its engine.",
  INIT: "The engine was initialising.",
  TEST: "The tests of the configuration were being run.",
  PLAN: "The plan was being made.",
  POLICY: "Policies were checking the plan.",
  APPROVAL: "The plan was waiting for approval.",
  APPLY: "The plan was being applied: infrastructure may have changed.",
  DEPLOY: "A command was executing.",
  ROLLOUT: "The applied change was being rolled out.",
  VERIFY: "Probes were checking the result.",
  ROLLBACK: "An earlier state was being restored.",
  UNKNOWN: "The step is not known.",
});

const FailureCategoryEnum = describedEnum<FailureCategory>("FailureCategory", "The area that has to be fixed.", {
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
});

const FailureCodeEnum = describedEnum<FailureCode>(
  "FailureCode",
  "The cause of a failed run. Codes are never renamed.",
  mapRecord<FailureCode, { meaning: string }, string>(FAILURES, ({ meaning }) => meaning),
);

const FailureReasonEnum = describedEnum<FailureReason>(
  "FailureReason",
  "Why a run failed, as the errors of the engine state. Reasons are never renamed.",
  mapRecord<FailureReason, { meaning: string }, string>(FAILURE_REASONS, ({ meaning }) => meaning),
);

const FailedResourceRef = builder.objectRef<FailedResource>("FailedResource").implement({
  description: "An error of the engine, about one resource or about none.",
  fields: (t) => ({
    address: t.exposeString("address", {
      nullable: true,
      description: "The address of the resource. `null` if the error is about none.",
    }),
    reason: t.expose("reason", {
      type: FailureReasonEnum,
      nullable: true,
      description: "Why it failed. `null` if the error is not a known one.",
    }),
    summary: t.exposeString("summary", { description: "The summary of the error, with secrets masked." }),
  }),
});

const FailureEntryRef = builder.objectRef<FailureEntry>("FailureEntry").implement({
  description: "An entry of the catalogue of failures: a reason, or a code.",
  fields: (t) => ({
    code: t.expose("code", {
      type: FailureCodeEnum,
      nullable: true,
      description: "The code; of a reason, the one if nothing was applied. `null` if that is the code of the leg.",
    }),
    reason: t.expose("reason", {
      type: FailureReasonEnum,
      nullable: true,
      description: "The reason. `null` for the entry of a code.",
    }),
    stage: t.expose("stage", {
      type: FailureStageEnum,
      nullable: true,
      description: "The stage. `null` if it is the one in which the run was.",
    }),
    category: t.expose("category", { type: FailureCategoryEnum, description: "The area that has to be fixed." }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description: "Whether a new plan may succeed without a change by a person. `null` if the code decides.",
    }),
    meaning: t.exposeString("meaning", { description: "The entry in one sentence." }),
    sample: t.exposeString("sample", {
      nullable: true,
      description: "A message of an engine or a provider with this reason. `null` for the entry of a code.",
    }),
    fix: t.exposeString("fix", { description: "The remedy." }),
  }),
});

builder.queryField("failureCatalogue", (t) =>
  t.field({
    type: [FailureEntryRef],
    description:
      "Every reason of a failure, in the order in which they are looked for, then every code. It is the same for all callers.",
    resolve: () => [...FAILURE_CATALOGUE],
  }),
);

FailureRef.implement({
  description: "The reason why a run failed, for programs and for people.",
  fields: (t) => ({
    stage: t.expose("stage", { type: FailureStageEnum, description: "The step that failed." }),
    category: t.expose("category", { type: FailureCategoryEnum, description: "The area that has to be fixed." }),
    code: t.expose("code", { type: FailureCodeEnum, description: "The cause, for programs. Codes are stable." }),
    reason: t.expose("reason", {
      type: FailureReasonEnum,
      nullable: true,
      description: "Why it failed, as the errors of the engine state. `null` if none of them is a known one.",
    }),
    cause: t.expose("cause", {
      type: FailureCodeEnum,
      nullable: true,
      description:
        "The code of what led to the failure, if `code` states how far the run got or that a rollback failed. Else `null`.",
    }),
    retryable: t.exposeBoolean("retryable", {
      description:
        "Whether a new plan may succeed without a change by a person. Applies are never repeated by the system.",
    }),
    resources: t.field({
      type: [FailedResourceRef],
      description: `The errors of the engine, at most ${LIMITS.failureErrors}, in its order. Empty for other failures.`,
      resolve: ({ resources }) => resources,
    }),
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
