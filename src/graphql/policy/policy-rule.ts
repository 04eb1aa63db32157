import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyEach } from "../../model/policy/policy-source.ts";
import type { CelRule, DemandedApprovers } from "../../model/policy/policy-source.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { ResourceActionEnum } from "../plan/resource-change.ts";
import { EnforcementLevelEnum, PolicyPointEnum } from "./policy-enums.ts";

const PolicyEachEnum = describedEnum<PolicyEach>("PolicyEach", "The subjects of a rule.", {
  PLAN: "It is asked once for the plan.",
  RESOURCE: "It is asked for each resource that `types` and `actions` name.",
});

const WORDS = {
  name: "The name, unique within the version.",
  point: "The moment at which it is asked.",
  level: "The effect of a violation.",
  stopsAutoApply: "Whether a violation at the level ADVISORY stops auto-apply.",
  each: "The subjects of the rule.",
  types: "The types of resources. Absent: all.",
  actions: "The actions of resources. Absent: all but NO_OP and READ.",
  when: "An expression in CEL that is true for a violation.",
  message: "The words of a violation, with `{{expression}}` in place of values.",
  remediation: "The remedy of a violation.",
  approvers: "The people whose approval a match demands, in place of a violation.",
} as const;

const DemandedApproversRef = builder.objectRef<DemandedApprovers>("DemandedApprovers").implement({
  description: "People whose approval a rule demands: a stage of the plan gate.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the stage." }),
    approvers: t.field({
      type: [ActorRef],
      description: "The people, beside the members of the teams. Without both: all who may approve the plan.",
      resolve: async ({ approverIds }, _args, { loaders }) => {
        const found = await Promise.all(approverIds.map((id) => loaders.load(actorLoader, id)));
        return found.map((actor) => present(actor, "A demanded approver"));
      },
    }),
    teamIds: t.idList({ description: "The ids of the teams.", resolve: ({ teamIds }) => [...teamIds] }),
    minimum: t.exposeInt("minimum", { description: "The number of people who must approve." }),
    excludeRequester: t.exposeBoolean("excludeRequester", {
      description: "Whether the approval of the person who requested the run does not count.",
    }),
  }),
});

export const PolicyRuleRef = builder.objectRef<CelRule>("PolicyRule").implement({
  description: "A rule in CEL.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    point: t.expose("point", { type: PolicyPointEnum, description: WORDS.point }),
    level: t.expose("level", { type: EnforcementLevelEnum, description: WORDS.level }),
    stopsAutoApply: t.exposeBoolean("stopsAutoApply", { description: WORDS.stopsAutoApply }),
    each: t.expose("each", { type: PolicyEachEnum, description: WORDS.each }),
    types: t.stringList({
      nullable: true,
      description: "The types of resources. `null`: all.",
      resolve: ({ types }) => (types === null ? null : [...types]),
    }),
    actions: t.field({
      type: [ResourceActionEnum],
      nullable: true,
      description: "The actions of resources. `null`: all but NO_OP and READ.",
      resolve: ({ actions }) => (actions === null ? null : [...actions]),
    }),
    when: t.exposeString("when", { description: WORDS.when }),
    message: t.exposeString("message", { description: WORDS.message }),
    remediation: t.exposeString("remediation", {
      nullable: true,
      description: `${WORDS.remediation} \`null\` if none is given.`,
    }),
    approvers: t.expose("approvers", {
      type: DemandedApproversRef,
      nullable: true,
      description: `${WORDS.approvers} \`null\` for a violation.`,
    }),
  }),
});

const DemandedApproversInputRef = builder.inputType("DemandedApproversInput", {
  description: "People whose approval a rule demands: a stage of the plan gate.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The name of the stage." }),
    approverIds: t.idList({
      required: true,
      defaultValue: [],
      description: "The ids of users, beside the members of the teams. Without both: all who may approve the plan.",
    }),
    teamIds: t.idList({ required: true, defaultValue: [], description: "The ids of teams of the organization." }),
    minimum: t.int({ required: true, defaultValue: 1, description: "The number of people who must approve." }),
    excludeRequester: t.boolean({
      required: true,
      defaultValue: true,
      description: "Whether the approval of the person who requested the run does not count.",
    }),
  }),
});

export const PolicyRuleInputRef = builder.inputType("PolicyRuleInput", {
  description:
    "A rule in CEL: `when` is asked for each resource that `types` and `actions` name, or once for the plan.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    point: t.field({ type: PolicyPointEnum, required: true, defaultValue: "PLAN", description: WORDS.point }),
    level: t.field({ type: EnforcementLevelEnum, required: true, description: WORDS.level }),
    stopsAutoApply: t.boolean({ required: true, defaultValue: true, description: WORDS.stopsAutoApply }),
    each: t.field({ type: PolicyEachEnum, required: true, defaultValue: "RESOURCE", description: WORDS.each }),
    types: t.stringList({ description: WORDS.types }),
    actions: t.field({ type: [ResourceActionEnum], description: WORDS.actions }),
    when: t.string({
      required: true,
      description: `${WORDS.when} At most ${LIMITS.policyExpressionLength} characters, as the message.`,
    }),
    message: t.string({ required: true, description: WORDS.message }),
    remediation: t.string({ description: WORDS.remediation }),
    approvers: t.field({ type: DemandedApproversInputRef, description: WORDS.approvers }),
  }),
});

/** Returns rules as the domain has them. */
export function toRules(inputs: readonly (typeof PolicyRuleInputRef.$inferInput)[]): CelRule[] {
  return inputs.map(({ types, actions, remediation, approvers, ...rule }) => ({
    ...rule,
    types: types ?? null,
    actions: actions ?? null,
    remediation: remediation ?? null,
    approvers: approvers === null || approvers === undefined ? null : { ...approvers },
  }));
}
