/** The fields of a result that show why it does not count: an exception, or an override. */
import { builder } from "../kit/builder.ts";
import { loaderOf } from "../kit/loader.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { PolicyResultRef } from "./policy-evaluation.ts";
import { policyExceptionLoader, PolicyExceptionRef } from "./policy-exception.ts";

const overridersLoader = loaderOf((domain, caller, ids) => domain.overridersOfResults(caller, ids));

builder.objectFields(PolicyResultRef, (t) => ({
  exception: t.field({
    type: PolicyExceptionRef,
    nullable: true,
    extensions: LEAVES_WORKSPACE,
    description:
      "The exception that covers it. `null` if there is none, or the caller may not read the policies of the organization.",
    resolve: ({ exceptionId }, _args, { loaders }) =>
      exceptionId === null ? null : loaders.load(policyExceptionLoader, exceptionId),
  }),
  overriddenBy: t.field({
    type: ActorRef,
    nullable: true,
    description:
      "The person that overrode it first, for this plan or for an earlier one whose override holds. `null` if no one did.",
    resolve: async ({ id }, _args, { loaders }) => {
      const actorId = await loaders.load(overridersLoader, id);
      return actorId === null ? null : loaders.load(actorLoader, actorId);
    },
  }),
}));
