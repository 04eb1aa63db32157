import type { CheckOutcome, OutcomeTag, TagLevel } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { CheckStatusEnum } from "../kit/check-status.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { loaderById, loaderOf, loaderOfFew } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { checkResultLoader, ExternalCheckRef, ExternalCheckResultRef, runLoader, RunRef } from "../kit/refs.ts";
import { EnforcementLevelEnum } from "../policy/policy-enums.ts";
import { CheckStageEnum } from "./external-check.ts";

const checkOfResultLoader = loaderById(["externalCheck"], (domain, caller, ids) => domain.checksOfResults(caller, ids));
const resultsOfRunLoader = loaderOf((domain, caller, ids) => domain.checkResultsOfRuns(caller, ids));
const outcomesLoader = loaderOfFew(
  (domain, caller, id: string) => domain.checkOutcomes(caller, id),
  (id) => id,
  {
    most: LIMITS.checkOutcomesPerRequest,
    path: "outcomes",
    message: `At most ${LIMITS.checkOutcomesPerRequest} results show their outcomes in one request.`,
  },
);

const TagLevelEnum = describedEnum<Uppercase<TagLevel>>("CheckLabelLevel", "The weight of a label of an outcome.", {
  NONE: "No weight.",
  INFO: "An information.",
  WARNING: "A warning.",
  ERROR: "An error.",
});

function levelOf(level: TagLevel): Uppercase<TagLevel> {
  const levels = { none: "NONE", info: "INFO", warning: "WARNING", error: "ERROR" } as const;
  return levels[level];
}

type Label = OutcomeTag["labels"][number];
const LabelRef = builder.objectRef<Label>("CheckLabel").implement({
  description: "A label of an outcome.",
  fields: (t) => ({
    label: t.exposeString("label", { description: "The text." }),
    level: t.field({ type: TagLevelEnum, description: "Its weight.", resolve: ({ level }) => levelOf(level) }),
  }),
});

const TagRef = builder.objectRef<OutcomeTag>("CheckTag").implement({
  description: "Labels of an outcome under one heading, such as `Severity`.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The heading." }),
    labels: t.field({ type: [LabelRef], description: "The labels.", resolve: ({ labels }) => labels }),
  }),
});

const OutcomeRef = builder.objectRef<CheckOutcome>("CheckOutcome").implement({
  description: "A detail of a result. Its texts are the service's own: never show them as HTML.",
  fields: (t) => ({
    outcomeId: t.exposeString("outcomeId", { description: "The id that the service gave it, which may repeat." }),
    description: t.exposeString("description", { description: "One line." }),
    body: t.exposeString("body", {
      nullable: true,
      description: "Markdown, in which HTML is text. `null` if there is none.",
    }),
    url: t.exposeString("url", { nullable: true, description: "A page about it. `null` if there is none." }),
    tags: t.field({ type: [TagRef], description: "Its labels by heading.", resolve: ({ tags }) => tags }),
  }),
});

addNode("externalCheckResult", "ExternalCheckResult", checkResultLoader);
ExternalCheckResultRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The answer of an external check about one stage of a run.",
  interfaces: [NodeRef],
  fields: (t) => ({
    check: t.field({
      type: ExternalCheckRef,
      description: "The check, which may be deleted.",
      resolve: async ({ checkId }, _args, { loaders }) =>
        present(await loaders.load(checkOfResultLoader, checkId), `Check ${checkId}`),
    }),
    run: t.field({
      type: RunRef,
      description: "The run.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.load(runLoader, runId), `Run ${runId}`),
    }),
    stage: t.expose("stage", { type: CheckStageEnum, description: "The stage that it is about." }),
    planVersion: t.exposeInt("planVersion", {
      description: "The version of the plan that it is about; 0 before the first one.",
    }),
    level: t.expose("level", {
      type: EnforcementLevelEnum,
      description: "The effect of its failure: the level of the check when the result was created.",
    }),
    status: t.expose("status", { type: CheckStatusEnum, description: "Its state." }),
    message: t.exposeString("message", {
      nullable: true,
      description:
        "The words of the service about it, what its request waits for, or why there is no answer. `null` if there are none.",
    }),
    url: t.exposeString("url", {
      nullable: true,
      description: "A page of the service about it. `null` if there is none.",
    }),
    outcomes: t.field({
      type: [OutcomeRef],
      description: `The details, in the order of the service. At most ${LIMITS.checkOutcomesPerRequest} results show them in one request.`,
      resolve: ({ id }, _args, { loaders }) => loaders.load(outcomesLoader, id),
    }),
    round: t.exposeInt("round", { description: "Counts up each time that a person asks the check again, from 1." }),
    attempts: t.exposeInt("attempts", { description: "The requests of the round." }),
    attemptError: t.exposeString("attemptError", {
      nullable: true,
      description: "Why the last request was not accepted. `null` if it was.",
    }),
    startedAt: t.expose("beganAt", { type: "DateTime", description: "When the round began." }),
    dueAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description:
        "The next step: a request, another look for a runner that sends it, or the limit that the service exceeds next. `null` once the result has ended.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ended. `null` before.",
    }),
  }),
});

builder.objectField(RunRef, "externalChecks", (t) =>
  t.field({
    type: [ExternalCheckResultRef],
    description: "The results of external checks about the run, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(resultsOfRunLoader, id),
  }),
);
