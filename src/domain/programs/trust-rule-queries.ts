import { type TrustRule, trustRulePlace } from "../../model/people/trust-rule.ts";
import { findTrustRules, listTrustRules } from "../../persistence/people/trust-rule-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { queryOrNull, queryPlacedLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

/** Creates the queries of trust rules. */
export function createTrustRuleQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const trustRules = reads.byId<TrustRule>(batched(database, findTrustRules), trustRulePlace);
  const ofAccounts = reads.lists<TrustRule>(batched(database, listTrustRules), trustRulePlace);
  return {
    trustRules: queryOrNull("MEMBER_READ", trustRules),
    /** Returns the trust rules of machine users, oldest first. */
    trustRulesOfAccounts: queryPlacedLists("MEMBER_READ", ofAccounts),
  };
}
