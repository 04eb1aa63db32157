import type { CheckTest } from "../../domain/external-check/check-domain.ts";
import type { ExternalCheck } from "../../model/check/external-check.ts";
import { COST_OUTCOME } from "../../model/check/check-cost.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { ExternalCheckRef, ExternalCheckResultRef } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { EnforcementLevelEnum, PolicyErrorModeEnum } from "../policy/policy-enums.ts";
import { toSelector, WorkspaceSelectorInputRef } from "../policy/selector.ts";
import { CheckStageEnum } from "./external-check.ts";

const { least, most, progress, total } = LIMITS.checkSeconds;
const NAME = "The name, unique within the organization.";
const URL_TEXT =
  "The https or http address of the service. An internal address is refused unless the server's settings allow it.";
const KEY = `The key that signs requests by HMAC-SHA512: ${LIMITS.checkKeyLength.least} to ${LIMITS.checkKeyLength.most} characters. It is never shown.`;
const VIA =
  "The runner pool whose runners send the requests, for a service that the server does not reach. Its runners must be started with HOLDPOINT_RUNNER_CHECKS=true. It takes `RUNNER_CHOOSE`";
const STAGES = "The stages at which it is asked.";
const ESTIMATES_COST = `Whether policies about a plan wait for its estimate of the cost: the JSON of Infracost as the body of an outcome whose id is \`${COST_OUTCOME}\`. It needs the stage POST_PLAN.`;
const SELECTOR = "The workspaces whose runs it judges.";
const PROGRESS = `The longest time without a report, in seconds: ${least} to ${most}.`;
const TOTAL = `The longest time for a result, in seconds: ${least} to ${most}.`;

/** Builds the success type of a command on a check, with the check after the command. */
function checkSuccess(description: string): Success<ExternalCheck> {
  return {
    description,
    fields: (t) => ({
      externalCheck: t.field({ type: ExternalCheckRef, description: "The check.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createExternalCheck", {
  description: "Creates an external check, after its service has answered a test with status 200.",
  argument: "The check.",
  input: {
    description: "The check to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the check." }),
      name: t.string({ required: true, description: NAME }),
      url: t.string({ required: true, description: URL_TEXT }),
      hmacKey: t.string({ description: `${KEY} If absent, requests are not signed.` }),
      viaPoolId: t.id({ description: `${VIA}. If absent, the server sends them.` }),
      stages: t.field({ type: [CheckStageEnum], required: true, description: STAGES }),
      level: t.field({ type: EnforcementLevelEnum, required: true, description: "The effect of its failure." }),
      onError: t.field({
        type: PolicyErrorModeEnum,
        required: true,
        defaultValue: "FAIL_CLOSED",
        description: "The effect of a missing answer.",
      }),
      estimatesCost: t.boolean({ required: true, defaultValue: false, description: ESTIMATES_COST }),
      selector: t.field({ type: WorkspaceSelectorInputRef, required: true, description: SELECTOR }),
      progressSeconds: t.int({ required: true, defaultValue: progress, description: PROGRESS }),
      totalSeconds: t.int({ required: true, defaultValue: total, description: TOTAL }),
    }),
  },
  success: checkSuccess("The check was created."),
  run: ({ createExternalCheck }, caller, { input }) =>
    createExternalCheck(caller, {
      ...input,
      hmacKey: input.hmacKey ?? null,
      viaPoolId: input.viaPoolId ?? null,
      selector: toSelector(input.selector),
    }),
});

mutation("updateExternalCheck", {
  description:
    "Changes an external check. Another address, key or pool is tested first. Results that are open keep their level and limits.",
  argument: "The check and its changes.",
  input: {
    description:
      "The changes to a check. An absent field is not changed; null clears `hmacKey` and `viaPoolId`, and is invalid elsewhere.",
    fields: (t) => ({
      checkId: t.id({ required: true, description: "The check to change." }),
      name: t.string({ description: NAME }),
      url: t.string({ description: URL_TEXT }),
      hmacKey: t.string({ description: `${KEY} null: requests are not signed.` }),
      viaPoolId: t.id({
        description: `${VIA}, as does another address of a check with a pool. null: the server sends them.`,
      }),
      stages: t.field({ type: [CheckStageEnum], description: STAGES }),
      level: t.field({ type: EnforcementLevelEnum, description: "The effect of its failure." }),
      onError: t.field({ type: PolicyErrorModeEnum, description: "The effect of a missing answer." }),
      estimatesCost: t.boolean({ description: ESTIMATES_COST }),
      selector: t.field({ type: WorkspaceSelectorInputRef, description: SELECTOR }),
      progressSeconds: t.int({ description: PROGRESS }),
      totalSeconds: t.int({ description: TOTAL }),
      enabled: t.boolean({ description: "Whether it is asked. `false` also cancels the results that are open." }),
    }),
  },
  success: checkSuccess("The check was changed."),
  run: ({ updateExternalCheck }, caller, { input }) => {
    const { selector, ...rest } = input;
    const given = selector === undefined || selector === null ? selector : toSelector(selector);
    return updateExternalCheck(caller, { ...rest, selector: given });
  },
});

mutation("deleteExternalCheck", {
  description:
    "Deletes an external check. Its results that are open are canceled, and their runs continue without them.",
  argument: "The check to delete.",
  input: {
    description: "The check to delete.",
    fields: (t) => ({ checkId: t.id({ required: true, description: "The check." }) }),
  },
  success: deletedSuccess("The check is deleted.", "The id of the check."),
  run: ({ deleteExternalCheck }, caller, { input }) => deleteExternalCheck(caller, input),
});

mutation("testExternalCheck", {
  description: "Tests the address of an external check by a request that is about no run.",
  argument: "The check to test.",
  input: {
    description: "The check to test.",
    fields: (t) => ({ checkId: t.id({ required: true, description: "The check." }) }),
  },
  success: {
    description: "The test was made.",
    fields: (t) => ({
      ok: t.boolean({ description: "Whether the service answered with status 200.", resolve: ({ value }) => value.ok }),
      statusCode: t.int({
        nullable: true,
        description: "The status of the answer. `null` if there was none.",
        resolve: ({ value }: { value: CheckTest }) => value.statusCode,
      }),
      problem: t.string({
        nullable: true,
        description: "The problem. `null` if there is none.",
        resolve: ({ value }) => value.problem,
      }),
    }),
  },
  run: ({ testExternalCheck }, caller, { input }) => testExternalCheck(caller, input),
});

mutation("retryExternalCheck", {
  description:
    "Asks an external check again about a run that is still at the stage of the result. The former request counts no more.",
  argument: "The result to ask for again.",
  input: {
    description: "The result to ask for again.",
    fields: (t) => ({ resultId: t.id({ required: true, description: "The result." }) }),
  },
  success: {
    description: "The check is asked again.",
    fields: (t) => ({
      result: t.field({ type: ExternalCheckResultRef, description: "The result.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ retryExternalCheck }, caller, { input }) => retryExternalCheck(caller, input),
});
