import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyError, PolicyErrorKind, PolicyFinding } from "../../model/policy/evaluator.ts";
import type { PolicyTrial, TryPolicyInput } from "../../domain/policy/try-policy.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { listCost } from "../kit/list-cost.ts";
import { loaderOfFew } from "../kit/loader.ts";
import { PolicyProblemRef } from "../kit/user-error.ts";
import { EnforcementLevelEnum, PolicyPointEnum } from "./policy-enums.ts";
import { PolicyRuleInputRef, toRules } from "./policy-rule.ts";
import { PolicyTraceLineRef } from "./trace-line.ts";

const most = LIMITS.trialsPerRequest;

const trialLoader = loaderOfFew(
  (domain, caller, input: TryPolicyInput) => domain.tryPolicy(caller, input),
  (input) => JSON.stringify(input),
  { most, path: "input", message: `At most ${most} documents are judged by one request.` },
);

const PolicyErrorKindEnum = describedEnum<PolicyErrorKind>("PolicyErrorKind", "Why a policy could not be judged.", {
  CRASH: "The process that judges it ended.",
  EXPRESSION: "An expression has no value.",
  MEMORY: "It took more memory than it may.",
  MISSING: "It calls a function that does not exist.",
  SHAPE: "Its result is none.",
  TIME: "It took more CPU time than it may.",
});

const PolicyFindingRef = builder.objectRef<PolicyFinding>("PolicyFinding").implement({
  description: "A violation, or a demand for approvals, that is not stored.",
  fields: (t) => ({
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    rule: t.exposeString("rule", { description: "The rule of the policy; its name if it has one rule." }),
    level: t.expose("level", { type: EnforcementLevelEnum, description: "The effect of the violation." }),
    stopsAutoApply: t.exposeBoolean("stopsAutoApply", {
      description: "Whether it stops auto-apply at the level ADVISORY.",
    }),
    message: t.exposeString("message", { description: "The violation in words." }),
    addresses: t.exposeStringList("addresses", { description: "The addresses of the resources that it is about." }),
    addressesInferred: t.exposeBoolean("addressesInferred", {
      description: "Whether the addresses were found in the message, because the policy names none.",
    }),
    remediation: t.exposeString("remediation", {
      nullable: true,
      description: "The remedy. `null` if the policy gives none.",
    }),
    demandsApprovals: t.boolean({
      description: "Whether it demands approvals, and is no violation.",
      resolve: ({ approvers }) => approvers !== null,
    }),
    trace: t.field({
      type: [PolicyTraceLineRef],
      nullable: true,
      description: "Why: parts of the expression with their values. `null` for compiled policies.",
      resolve: ({ trace }) => trace,
    }),
  }),
});

const UnjudgedPolicyRef = builder.objectRef<PolicyError>("UnjudgedPolicy").implement({
  description: "A policy that could not be judged.",
  fields: (t) => ({
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    kind: t.expose("kind", { type: PolicyErrorKindEnum, description: "Why it could not be judged." }),
    message: t.exposeString("message", { description: "The reason in words, with the limit and the use." }),
  }),
});

const TrialRef = builder.objectRef<PolicyTrial>("PolicyTrial").implement({
  description: "A judgement that is not stored.",
  fields: (t) => ({
    problems: t.field({
      type: [PolicyProblemRef],
      description: "The mistakes of rules that do not compile. Nothing was judged if there are any.",
      resolve: ({ problems }) => problems,
    }),
    findings: t.field({
      type: [PolicyFindingRef],
      description: "The violations and demands for approvals.",
      resolve: ({ findings }) => findings,
    }),
    errors: t.field({
      type: [UnjudgedPolicyRef],
      description: "The policies that could not be judged.",
      resolve: ({ errors }) => errors,
    }),
    passed: t.exposeInt("passed", { description: "The number of policies that found nothing." }),
    dropped: t.exposeInt("dropped", { description: "The number of findings beyond the bound of a policy." }),
    cpuMs: t.exposeInt("cpuMs", { description: "The CPU time that was used." }),
  }),
});

const TryPolicyInputRef = builder.inputType("TryPolicyInput", {
  description: "A document, and the rules or the version that judges it.",
  fields: (t) => ({
    policySetId: t.id({ required: true, description: "The policy set, whose dialect counts." }),
    rules: t.field({ type: [PolicyRuleInputRef], description: "Rules in CEL." }),
    versionId: t.id({ description: "A version of the set, in place of rules." }),
    point: t.field({
      type: PolicyPointEnum,
      required: true,
      defaultValue: "PLAN",
      description: "The moment whose policies are asked. At RUN_CREATE there is no document.",
    }),
    planId: t.id({
      description:
        "A plan whose stored document is judged, in place of `document`. It takes the permission PLAN_APPROVE on its workspace.",
    }),
    document: t.string({
      description: `The document as JSON: \`plan\`, as \`show -json\` prints it, and \`custom\`. At most ${LIMITS.trialDocumentBytes} bytes.`,
    }),
    context: t.string({
      description: `JSON with some of the keys \`run\`, \`workspace\`, \`organization\`, \`actor\`, \`approvals\`, \`cost\` and \`previousRun\`, in place of neutral values. At most ${LIMITS.contextBytes} bytes.`,
    }),
  }),
});

/** A trial may take seconds of CPU time: it costs as much as the list of as many runs. */
const TRIAL = listCost({ max: 1, size: 1, perPoint: 1 / 50 });

builder.queryField("tryPolicy", (t) =>
  t.field({
    type: TrialRef,
    description: `Judges a document, for an editor, with each change of its text: ${LIMITS.policyTrial.cpuMs / 1000} seconds of CPU time. Nothing is recorded. The policy set must be readable.`,
    args: {
      input: t.arg({
        type: TryPolicyInputRef,
        required: true,
        extensions: TRIAL,
        description: "The document, and what judges it.",
      }),
    },
    resolve: (_root, { input }, { loaders }) =>
      loaders.load(trialLoader, {
        ...input,
        rules: input.rules ? toRules(input.rules) : null,
        versionId: input.versionId ?? null,
        document: input.document ?? null,
        planId: input.planId ?? null,
        context: input.context ?? null,
      }),
  }),
);
