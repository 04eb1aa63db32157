/** Lets policies judge runs before they are created: outside of the transaction that creates them. */
import { UserError } from "../../model/kit/user-error.ts";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import type { Deps } from "../kit/deps.ts";
import type { CreationInput } from "./creation-input.ts";
import { judgeCreation, type VersionJudgement } from "./creation-judgement.ts";

/** The judgements at hand, and the effect of a denial. */
export interface CreationPolicies {
  /** By the digest of the input. */
  judged: ReadonlyMap<string, readonly VersionJudgement[]>;
  /** REFUSE: throws POLICY_DENIED. SKIP: the run is created SKIPPED, since no caller waits for an answer. */
  denied: "REFUSE" | "SKIP";
}

/** No judgement is at hand. A run that must be judged is not created. */
export const NOTHING_JUDGED: CreationPolicies = { judged: new Map(), denied: "REFUSE" };

/** Runs cannot be created before these inputs are judged. It leaves the transaction, which is repeated afterwards. */
export class UnjudgedCreation extends Error {
  override readonly name = "UnjudgedCreation";
  readonly inputs: readonly CreationInput[];

  constructor(inputs: readonly CreationInput[]) {
    super("A run is to be judged by policies before it is created.");
    this.inputs = inputs;
  }
}

const UNSETTLED =
  "The run was not created: what the policies read, or the policies themselves, changed each time while they judged. Try again.";

/**
 * Runs work with a transaction that creates runs. Where policies must judge a run first, the transaction is rolled back, the
 * policies judge without its locks, and the work is repeated: it takes the judgement only if its input is still the same.
 */
export async function underCreationPolicies<Result>(
  deps: Deps,
  denied: CreationPolicies["denied"],
  work: (policies: CreationPolicies) => Promise<Result>,
): Promise<Result> {
  const judged = new Map<string, readonly VersionJudgement[]>();
  for (let tries = 0; ; tries++) {
    try {
      return await work({ judged, denied });
    } catch (error) {
      if (!(error instanceof UnjudgedCreation)) throw error;
      if (tries === JUDGEMENT_LIMITS.creationTries) throw new UserError("POLICY_DENIED", UNSETTLED);
      const judgements = await Promise.all(error.inputs.map((input) => judgeCreation(deps, input)));
      for (const [index, { digest }] of error.inputs.entries()) judged.set(digest, judgements[index] ?? []);
    }
  }
}
