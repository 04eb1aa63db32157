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
    "Selects runs by the values of `Run.dialects`. The given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing.",
  fields: (t) => ({
    amnify: t.field({ type: [AmnifyStatusEnum], description: "Only runs with one of these statuses of Amnify." }),
    spacelift: t.field({ type: [SpaceliftStateEnum], description: "Only runs with one of these states of Spacelift." }),
    hcp: t.field({ type: [HcpRunStatusEnum], description: "Only runs with one of these statuses of HCP Terraform." }),
    forgecroftPlan: t.field({
      type: [ForgecroftStatusEnum],
      description: "Only runs whose plan run has one of these statuses of Forgecroft.",
    }),
    forgecroftApply: t.field({
      type: [ForgecroftStatusEnum],
      description: "Only runs whose apply run has one of these statuses of Forgecroft.",
    }),
    forgecroftUnlock: t.field({
      type: [ForgecroftStatusEnum],
      description: "Only runs whose unlock run has one of these statuses of Forgecroft.",
    }),
    smartDeploy: t.field({
      type: [SmartDeployStatusEnum],
      description: "Only runs with one of these statuses of SmartDeploy.",
    }),
  }),
});

export type DialectFilterInput = { [Key in keyof DialectFilter]: DialectFilter[Key] | null | undefined };

/** Omits the keys whose value is `null`. */
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
