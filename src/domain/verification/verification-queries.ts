import type { Verification } from "../../model/verification/verification.ts";
import { findRollbackCandidates } from "../../persistence/verification/rollback-store.ts";
import { findVerifications, findVerificationsOfRuns } from "../../persistence/verification/verification-store.ts";
import { queryOrNull } from "../access/query.ts";
import { batched, type Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

/** Creates the queries of verifications. */
export function createVerificationQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const byId = reads.byId(batched(database, findVerifications), (row) => row);
  const ofRuns = reads.below(reads.runSummaries, batched(database, findVerificationsOfRuns));
  const candidates = reads.below(reads.runSummaries, batched(database, findRollbackCandidates));
  return {
    verifications: queryOrNull<string, Verification>("RUN_READ", byId),
    /** Returns the id of the run to which the workspace of each run could go back; `null` if there is none. */
    rollbackCandidates: queryOrNull<string, string | null>("RUN_READ", candidates),
    /** Returns the verification of each run; `null` for a run that has none. */
    verificationsOfRuns: queryOrNull<string, Verification | null>("RUN_READ", ofRuns),
  };
}
