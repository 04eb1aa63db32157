/** The template of commands about a policy set. */
import { idKind } from "../../model/kit/id.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import { type Reader, type Transaction, violates } from "../../persistence/database/database.ts";
import { findPolicySets, listSelectedWorkspaces, lockPolicySet } from "../../persistence/policy/policy-set-store.ts";

/** A set after a command, with what the caller should know about it. */
export interface PolicySetChange {
  policySet: PolicySet;
  warnings: string[];
}

/** The subject of commands about a set, whose row they lock. They take POLICY_WRITE in the whole organization. */
export function onPolicySet(policySetId: string) {
  return {
    subjectId: policySetId,
    noun: "policy set",
    find: async (tx: Transaction) => (idKind(policySetId) === "policySet" ? lockPolicySet(tx, policySetId) : null),
    placeOf: placeOfPolicySet,
    sight: "POLICY_READ",
    permission: "POLICY_WRITE",
  } as const;
}

/** The subject of commands in steps about a set, which lock its row in their last one. */
export function onPolicySetInSteps(policySetId: string) {
  return {
    ...onPolicySet(policySetId),
    find: async (reader: Reader) => {
      const [set = null] = idKind(policySetId) === "policySet" ? await findPolicySets(reader, [policySetId]) : [];
      return set;
    },
  } as const;
}

export function placeOfPolicySet({ organizationId }: Pick<PolicySet, "organizationId">) {
  return organizationPlace({ id: organizationId });
}

/** Converts the violation of a unique name to NAME_TAKEN; returns other errors unchanged. */
export function policySetNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "policy_set_name")) return error;
  return new UserError("NAME_TAKEN", `The organization already has a policy set "${name}". Choose another name.`);
}

const ONE = { limit: 1, direction: "forward", after: null, before: null } as const;

/** Returns the set with a warning if it selects nothing that the caller may read. */
export async function withWarnings(
  tx: Transaction,
  caller: ActorCaller,
  policySet: PolicySet,
): Promise<PolicySetChange> {
  const { items } = await listSelectedWorkspaces(tx, scopeOf(caller, "WORKSPACE_READ"), policySet, ONE);
  const warning = "The selector selects no workspace that you may read. Check its labels and names.";
  return { policySet, warnings: items.length === 0 ? [warning] : [] };
}
