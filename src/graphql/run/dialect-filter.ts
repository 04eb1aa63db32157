import type { DialectFilter } from "../../model/lifecycle/dialect-filter.ts";
import { builder } from "../kit/builder.ts";
import {
  AmnifyStatusEnum,
  ForgecroftStatusEnum,
  HcpRunStatusEnum,
  SmartDeployStatusEnum,
  SpaceliftStateEnum,
} from "./dialects.ts";

export const DialectFilterRef = builder.inputType("DialectFilter", {
  description:
    "Runs by what `Run.dialects` says of them. Given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing.",
  fields: (t) => ({
    amnify: t.field({ type: [AmnifyStatusEnum], description: "As Amnify has it." }),
    spacelift: t.field({ type: [SpaceliftStateEnum], description: "As Spacelift has it." }),
    hcp: t.field({ type: [HcpRunStatusEnum], description: "As HCP Terraform has it." }),
    forgecroftPlan: t.field({ type: [ForgecroftStatusEnum], description: "As Forgecroft has its plan run." }),
    forgecroftApply: t.field({ type: [ForgecroftStatusEnum], description: "As Forgecroft has its apply run." }),
    forgecroftUnlock: t.field({ type: [ForgecroftStatusEnum], description: "As Forgecroft has its unlock run." }),
    smartDeploy: t.field({ type: [SmartDeployStatusEnum], description: "As SmartDeploy has it." }),
  }),
});

export type DialectFilterInput = { [Key in keyof DialectFilter]: DialectFilter[Key] | null | undefined };

/** Without what is null. */
export function toDialectFilter(given: DialectFilterInput): DialectFilter {
  const { amnify, spacelift, hcp, forgecroftPlan, forgecroftApply, forgecroftUnlock, smartDeploy } = given;
  return {
    ...(amnify && { amnify }),
    ...(spacelift && { spacelift }),
    ...(hcp && { hcp }),
    ...(forgecroftPlan && { forgecroftPlan }),
    ...(forgecroftApply && { forgecroftApply }),
    ...(forgecroftUnlock && { forgecroftUnlock }),
    ...(smartDeploy && { smartDeploy }),
  };
}
