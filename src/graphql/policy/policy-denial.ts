/** The results for which policies refused a run. */
import { PolicyDenialRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { PolicyResultStatusEnum } from "./evaluation-enums.ts";
import { EnforcementLevelEnum } from "./policy-enums.ts";
import { policySetLoader, PolicySetRef } from "./policy-set.ts";

PolicyDenialRef.implement({
  description:
    "A result of a policy for which a run was not created. It is stored nowhere: a later attempt is judged again. Secrets are masked.",
  fields: (t) => ({
    policySet: t.field({
      type: PolicySetRef,
      nullable: true,
      extensions: LEAVES_WORKSPACE,
      description:
        "The policy set. `null` if it was deleted, or the caller may not read the policies of the organization.",
      resolve: ({ policySetId }, _args, { loaders }) => loaders.load(policySetLoader, policySetId),
    }),
    policySetName: t.exposeString("policySetName", { description: "The name of the policy set." }),
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    rule: t.exposeString("rule", { description: "The rule of the policy; its name if it has one rule." }),
    level: t.expose("level", {
      type: EnforcementLevelEnum,
      description: "The level of the result. For an error it follows from `PolicySet.onError`.",
    }),
    status: t.expose("status", { type: PolicyResultStatusEnum, description: "FAILED or ERROR." }),
    message: t.exposeString("message", { description: "The finding, in words." }),
    remediation: t.exposeString("remediation", {
      nullable: true,
      description: "The remedy. `null` if the policy gives none.",
    }),
  }),
});
