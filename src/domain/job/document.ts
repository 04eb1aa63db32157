import type { CostEstimate } from "../../model/policy/cost-estimate.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { deleteBlob } from "../../persistence/blob/blob-store.ts";
import { findJob, lockLiveJob } from "../../persistence/dispatch/job-store.ts";
import { putJobDocument, takeJobDocument } from "../../persistence/plan/document-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Deps } from "../kit/deps.ts";
import { authorizeJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";

/** A document of a plan that a runner sent, after its shape was checked. */
export interface SentDocument {
  /** JSON, compressed by zstd. */
  body: Buffer;
  rawBytes: number;
  truncated: string[];
  actionInvocations: number;
  cost: CostEstimate | null;
}

/**
 * Stores the document of the plan that is reported next. A repeated call replaces it. Throws StoreUnavailable if the blob
 * store is unreachable; the runner then retries.
 */
export async function writeDocument(deps: Deps, caller: JobCaller, { body, ...facts }: SentDocument): Promise<void> {
  authorizeJob(caller, "archive:write");
  const live = await findJob(deps.database, caller.jobId);
  if (live === null || live.endedAt !== null) throw jobOver();
  const id = deps.newId("blob");
  const { workspaceId, runId } = live;
  const blob = { id, kind: "DOCUMENT", workspaceId, body, createdAt: deps.clock().toISOString() } as const;
  await deps.blobs.bring(blob, (put) =>
    deps.database.transaction(async (tx) => {
      const job = await lockLiveJob(tx, caller.jobId);
      if (job === null) throw jobOver();
      await deps.blobs.insert(tx, put);
      const former = await putJobDocument(tx, { ...facts, jobId: job.id, runId, blobId: id });
      if (former !== null) await deleteBlob(tx, former);
    }),
  );
}

/** Makes the document that a job has sent that of its plan. Throws MALFORMED if the plan hides actions that it invokes. */
export async function takeDocument(tx: Transaction, jobId: string, plan: Plan): Promise<void> {
  const { id: planId, createdAt: at } = plan;
  // With targets, an estimate would miss what the rest of the configuration costs.
  const listed = await takeJobDocument(tx, { jobId, planId, hasCost: plan.targets.length === 0, at });
  if (listed !== null && listed > plan.actionInvocationCount) {
    throw new JobError("MALFORMED", "The document of the plan lists more action invocations than the plan.");
  }
}
