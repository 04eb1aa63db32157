import { POLICY_DIALECTS, POLICY_ERROR_MODES, type PolicySet } from "../../model/policy/policy-set.ts";
import type { Policy } from "../../model/policy/policy-source.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";

/** The policy set of a version, as far as a judgement depends on it, with the policies of the version. */
export interface JudgedSetRow extends Pick<PolicySet, "dialect" | "onError" | "needsWholePlan"> {
  setId: string;
  policies: readonly Policy[];
}

/** Finds the set of a version, deleted ones included: an evaluation keeps its version. */
export async function findJudgedSet(reader: Reader, versionId: string): Promise<JudgedSetRow> {
  const row = await reader.sql
    .selectFrom("policy_set_version")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .select(["set_id", "dialect", "on_error", "needs_whole_plan", "policies"])
    .where("policy_set_version.id", "=", versionId)
    .executeTakeFirstOrThrow();
  return {
    setId: row.set_id,
    dialect: word(POLICY_DIALECTS, row.dialect),
    onError: word(POLICY_ERROR_MODES, row.on_error),
    needsWholePlan: row.needs_whole_plan,
    policies: row.policies,
  };
}
