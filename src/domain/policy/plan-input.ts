/** Reads what policies judge about a stored plan: its document, and what is known beside it. */
import type { PolicyContext } from "../../model/policy/evaluator.ts";
import type { PolicyPoint } from "../../model/policy/policy-set.ts";
import { findPlans } from "../../persistence/plan/plan-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { documentKey, readPlanDocument } from "./plan-document.ts";
import { readPolicyContext } from "./policy-context.ts";

export interface PlanInput {
  /** Compressed by zstd. */
  document: Buffer;
  documentKey: string | null;
  context: PolicyContext;
}

/** Returns the input of a plan that the caller may judge; `null` if it has no document any more, or its workspace is gone. */
export async function readPlanInput(
  deps: Pick<Deps, "database" | "blobs" | "cipher">,
  planId: string,
  { point, at }: { point: PolicyPoint; at: string },
): Promise<PlanInput | null> {
  const [plan = null] = await findPlans(deps.database, [planId]);
  const document = plan === null ? null : await readPlanDocument(deps, planId);
  if (plan === null || document === null) return null;
  const run = await findRun(deps.database, plan.runId);
  const workspace = run === null ? null : await findWorkspace(deps.database, run.workspaceId);
  if (run === null || workspace === null) return null;
  const judged = { run: { ...run, planVersion: plan.version }, workspace };
  const context = await readPolicyContext(deps.database, deps, judged, { point, at, document });
  return { document: document.bytes, documentKey: documentKey(deps.cipher, plan.runId), context };
}
