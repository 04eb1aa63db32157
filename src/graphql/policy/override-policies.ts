import { LIMITS } from "../../model/kit/limits.ts";
import { mutation } from "../kit/mutation.ts";
import { runSuccess } from "../kit/success.ts";

mutation("overridePolicies", {
  description:
    "Overrides failures of policies at the level SOFT_MANDATORY, so that the plan may be applied nevertheless. It is no approval. Failures at the level MANDATORY have no override: `requestPolicyException`.",
  argument: "The failures, and why they are accepted.",
  input: {
    description: "The failures of exactly one plan to override.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run, which waits at its plan gate." }),
      planVersion: t.int({
        required: true,
        description: "The version of the plan that was read. It is a StalePlanError if another plan is current.",
      }),
      resultIds: t.idList({
        required: true,
        defaultValue: [],
        description: `The results, at most ${LIMITS.resultsOverridden}: all failures of a policy set that wait for an override, or of several sets.`,
      }),
      evaluationIds: t.idList({
        required: true,
        defaultValue: [],
        description: `In place of results, or beside others: evaluations of this plan, at most ${LIMITS.evaluationsOverridden}, whose failures are all overridden. A plan may have more failures than one command can name.`,
      }),
      comment: t.string({ required: true, description: "Why the failures are accepted, for later readers." }),
    }),
  },
  success: runSuccess("The override was recorded. The run continues once every stage of the gate has its quorum."),
  run: ({ overridePolicies }, caller, { input }) => overridePolicies(caller, input),
});
