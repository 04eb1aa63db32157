import type { RequestPolicyExceptionInput } from "../generated/graphql.ts";
import { checkedOf, endOfDay, textOfField } from "../parts/field.ts";

/** Reads a request for an exception from a policy of a set from its form. */
export function readException(form: HTMLFormElement, policySetId: string): RequestPolicyExceptionInput {
  return {
    policySetId,
    policy: textOfField(form, "policy"),
    rule: textOfField(form, "rule"),
    addressGlob: textOfField(form, "addressGlob"),
    workspaceIds: checkedOf(form, "workspaceIds"),
    reason: textOfField(form, "reason"),
    ticket: textOfField(form, "ticket") || null,
    expiresAt: endOfDay(textOfField(form, "expiresAt")) ?? "",
  };
}
