import type {
  EnforcementLevel,
  OverrideHolds,
  PolicyDialect,
  PolicyErrorMode,
  PolicyLanguage,
  PolicyPoint,
  PolicyVersionState,
} from "../../model/policy/policy-set.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const PolicyLanguageEnum = describedEnum<PolicyLanguage>("PolicyLanguage", "The language of policies.", {
  CEL: "The Common Expression Language: rules as text.",
  REGO_WASM: "Rego that was compiled to a WebAssembly module.",
});

export const PolicyDialectEnum = describedEnum<PolicyDialect>(
  "PolicyDialect",
  "The product whose input the policies expect, and whose results they give.",
  {
    CONFTEST: "The plan at the root; `deny`, `violation` and `warn`.",
    FORGECROFT: "The input of Forgecroft; `deny` and `require_approval`.",
    HCP: "The input of HCP Terraform: `plan` and `run`.",
    HOLDPOINT: "The input of Holdpoint.",
    SCALR: "The input of Scalr: `tfplan` and `tfrun`.",
    SPACELIFT: "The input of Spacelift's plan policies; `deny` and `warn`.",
  },
);

export const PolicyPointEnum = describedEnum<PolicyPoint>("PolicyPoint", "The moment at which a policy is asked.", {
  PLAN: "After the plan, before people are asked.",
  PRE_APPLY: "Before an approved plan is given to a runner.",
  RUN_CREATE: "Before a run is created. There is no plan yet.",
});

export const EnforcementLevelEnum = describedEnum<EnforcementLevel>("EnforcementLevel", "The effect of a violation.", {
  ADVISORY: "It is shown, and may stop auto-apply.",
  MANDATORY: "The run is rejected; at RUN_CREATE it is not created.",
  SOFT_MANDATORY:
    "The run waits at the plan gate until the violation is overridden. At the other moments no gate follows: it has the effect of MANDATORY.",
});

export const PolicyErrorModeEnum = describedEnum<PolicyErrorMode>(
  "PolicyErrorMode",
  "The effect of a policy that cannot be judged.",
  {
    ASK: "That of a violation at the level SOFT_MANDATORY.",
    FAIL_CLOSED: "That of a violation of its strictest policy.",
    FAIL_OPEN: "That of a violation at the level ADVISORY.",
  },
);

export const PolicyVersionStateEnum = describedEnum<PolicyVersionState>(
  "PolicyVersionState",
  "Whether a version judges plans, and decides about them.",
  {
    ACTIVE: "It judges and decides. A set has at most one.",
    DRAFT: "It judges nothing.",
    RETIRED: "It judges nothing any more.",
    SHADOW: "It judges and is recorded, and decides nothing. A set has at most one.",
  },
);

export const OverrideHoldsEnum = describedEnum<OverrideHolds>("OverrideHolds", "How long an override holds.", {
  PLAN: "For the plan that was overridden.",
  SAME_VIOLATIONS: "Also for a later plan of the run that has no other violations.",
});
