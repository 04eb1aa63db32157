import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { mutation } from "../kit/mutation.ts";
import { EnforcementLevelEnum, PolicyPointEnum, PolicyVersionStateEnum } from "./policy-enums.ts";
import { PolicyRuleInputRef, toRules } from "./policy-rule.ts";
import { PolicyTestInputRef, toTests } from "./policy-test.ts";
import { PolicyVersionRef } from "./policy-version.ts";

const ModulePolicyRef = builder.inputType("ModulePolicyInput", {
  description: "An entry point of a compiled module as a policy.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The name, unique within the version." }),
    entrypoint: t.string({ required: true, description: "The path of the rule, such as `terraform/deny`." }),
    point: t.field({
      type: PolicyPointEnum,
      required: true,
      defaultValue: "PLAN",
      description: "The moment at which it is asked.",
    }),
    level: t.field({ type: EnforcementLevelEnum, required: true, description: "The effect of a violation." }),
    stopsAutoApply: t.boolean({
      required: true,
      defaultValue: true,
      description: "Whether a violation at the level ADVISORY stops auto-apply.",
    }),
  }),
});

mutation("pushPolicySetVersion", {
  description:
    "Pushes a version of a policy set: it is compiled, and its tests are run. What does not compile is refused, and a version whose tests fail cannot be ACTIVE.",
  argument: "The version.",
  input: {
    description:
      "The version to push: `rules` in the language CEL, or else `uploadId` and `policies`. Sources in git come with a later release.",
    fields: (t) => ({
      policySetId: t.id({ required: true, description: "The policy set." }),
      rules: t.field({ type: [PolicyRuleInputRef], description: `Rules in CEL: 1 to ${LIMITS.policyRules}.` }),
      uploadId: t.id({
        description:
          "A bundle that was sent to `POST /sources`: a tar.gz with `policy.wasm` and `data.json`, as `opa build -t wasm` writes it.",
      }),
      policies: t.field({
        type: [ModulePolicyRef],
        description: `The policies of the module: 1 to ${LIMITS.policyRules}.`,
      }),
      tests: t.field({
        type: [PolicyTestInputRef],
        required: true,
        defaultValue: [],
        description: `Tests that the version must pass before it is activated; at most ${LIMITS.policyTests}.`,
      }),
      message: t.string({ description: "The change, in words." }),
      state: t.field({
        type: PolicyVersionStateEnum,
        required: true,
        defaultValue: "DRAFT",
        description: "The state: DRAFT, SHADOW or ACTIVE.",
      }),
    }),
  },
  success: {
    description: "The version was pushed.",
    fields: (t) => ({
      version: t.field({
        type: PolicyVersionRef,
        description: "The version, with the results of its tests.",
        resolve: ({ value }) => value,
      }),
    }),
  },
  run: ({ pushPolicySetVersion }, caller, { input: { rules, tests, ...input } }) =>
    pushPolicySetVersion(caller, {
      ...input,
      rules: rules ? toRules(rules) : null,
      uploadId: input.uploadId ?? null,
      policies: input.policies ?? null,
      tests: toTests(tests),
      message: input.message ?? null,
    }),
});
