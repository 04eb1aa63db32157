import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyOverriders } from "../../model/policy/policy-set.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { teamLoader, TeamRef } from "../kit/refs.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { OverrideHoldsEnum } from "./policy-enums.ts";

const WORDS = {
  minimum: "The number of people who must override.",
  excludeRequester: "Whether the person who requested the run may not override.",
  holds: "How long an override holds.",
} as const;

export const PolicyOverridersRef = builder.objectRef<PolicyOverriders>("PolicyOverriders").implement({
  description: "The people who may override results at the level SOFT_MANDATORY.",
  fields: (t) => ({
    approvers: t.field({
      type: [ActorRef],
      description: "The people, beside the members of the teams. Without both: all who may approve the plan.",
      resolve: async ({ approverIds }, _args, { loaders }) => {
        const found = await Promise.all(approverIds.map((id) => loaders.load(actorLoader, id)));
        return found.map((actor) => present(actor, "A person who may override"));
      },
    }),
    teamIds: t.idList({
      description: "The ids of the teams whose members may override.",
      resolve: ({ teamIds }) => [...teamIds],
    }),
    teams: t.field({
      type: [TeamRef],
      description: "The teams whose members may override, as far as the caller may read them (MEMBER_READ).",
      resolve: async ({ teamIds }, _args, { loaders }) => {
        const found = await Promise.all(teamIds.map((id) => loaders.load(teamLoader, id)));
        return found.filter((team) => team !== null);
      },
    }),
    minimum: t.exposeInt("minimum", { description: WORDS.minimum }),
    excludeRequester: t.exposeBoolean("excludeRequester", { description: WORDS.excludeRequester }),
    holds: t.expose("holds", { type: OverrideHoldsEnum, description: WORDS.holds }),
  }),
});

export const PolicyOverridersInputRef = builder.inputType("PolicyOverridersInput", {
  description: "The people who may override results at the level SOFT_MANDATORY.",
  fields: (t) => ({
    approverIds: t.idList({
      required: true,
      defaultValue: [],
      description: `The ids of users, beside the members of the teams. Without both: all who may approve the plan. At most ${LIMITS.policyApprovers}.`,
    }),
    teamIds: t.idList({
      required: true,
      defaultValue: [],
      description: `The ids of teams of the organization. At most ${LIMITS.policyApprovers}.`,
    }),
    minimum: t.int({ required: true, defaultValue: 1, description: WORDS.minimum }),
    excludeRequester: t.boolean({ required: true, defaultValue: true, description: WORDS.excludeRequester }),
    holds: t.field({
      type: OverrideHoldsEnum,
      required: true,
      defaultValue: "PLAN",
      description: WORDS.holds,
    }),
  }),
});
