/** Reads the stored document of a plan. */
import type { CostEstimate } from "../../model/policy/cost-estimate.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import { findPlanDocument } from "../../persistence/plan/document-store.ts";
import type { Deps } from "../kit/deps.ts";

/** The document of a plan, as policies and checks read it. */
export interface PlanDocument {
  /** JSON with the keys `plan` and `custom`, compressed by zstd in one frame. */
  bytes: Buffer;
  /** Its size without compression. */
  rawBytes: number;
  /** Names of the parts that were left out, such as `prior_state` or `custom.infracost`. */
  truncated: string[];
  cost: CostEstimate | null;
}

/** Returns the document of a plan; `null` if its runner sent none, or retention has removed it. */
export async function readPlanDocument(
  deps: Pick<Deps, "database" | "blobs">,
  planId: string,
): Promise<PlanDocument | null> {
  const found = await findPlanDocument(deps.database, planId);
  if (found === null || found.blobId === null) return null;
  const { blobId, rawBytes, truncated, cost } = found;
  const bytes = Buffer.concat(await Array.fromAsync(await deps.blobs.read(blobId)));
  return { bytes, rawBytes, truncated, cost };
}

/** The key of documents that are written by hand, for tests and trials: they have no run. */
export const WRITTEN_DOCUMENT_KEY = "trial";

/**
 * Returns the key under which the runner digests sensitive values in the documents of a run's plans. With it, a rule
 * compares a value with a digest; a reader without it cannot try words.
 */
export function documentKey(cipher: Cipher, runId: string): string {
  return cipher.mac("plan-document", runId).toString("hex");
}
