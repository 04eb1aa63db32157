/** Serves the document of a plan as a file. */
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { findPlanDocument } from "../../persistence/plan/document-store.ts";
import { findPlans } from "../../persistence/plan/plan-store.ts";
import { commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

/** A document of a plan. It never changes. */
export interface PolicyInputFile {
  planId: string;
  /** Its size without compression. */
  rawBytes: number;
  /** Names of the parts that were left out. */
  truncated: string[];
  /** Reads its JSON, compressed by zstd. */
  read: () => Promise<AsyncIterable<Buffer>>;
}

/** NONE: the runner sent no document. EXPIRED: retention has removed it. */
export type PolicyInput = PolicyInputFile | "NONE" | "EXPIRED";

export interface PolicyInputs {
  /** Opens the document of a plan. Throws NOT_FOUND and FORBIDDEN: it takes the right to approve plans. */
  open(caller: ActorCaller, planId: string): Promise<PolicyInput>;
}

export function createPolicyInputs(deps: Deps): PolicyInputs {
  return { open: (caller, planId) => openInput(deps, caller, planId) };
}

function openInput(deps: Deps, caller: ActorCaller, planId: string): Promise<PolicyInput> {
  return commandInSteps(
    deps,
    caller,
    {
      name: "readPolicyInput",
      noun: "plan",
      subjectId: planId,
      sight: "RUN_READ",
      permission: "PLAN_APPROVE",
      words: "reading the documents of plans",
      async find(reader) {
        const [plan = null] = idKind(planId) === "plan" ? await findPlans(reader, [planId]) : [];
        return plan;
      },
      placeOf: (plan) => plan,
    },
    async ({ id }) => {
      const found = await findPlanDocument(deps.database, id);
      if (found === null) return "NONE";
      const { blobId, rawBytes, truncated } = found;
      if (blobId === null) return "EXPIRED";
      return { planId: id, rawBytes, truncated, read: () => deps.blobs.read(blobId) };
    },
  );
}
