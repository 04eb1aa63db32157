/** Exports the changes of a plan with their values. */
import { idKind } from "../../model/kit/id.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { findPlans } from "../../persistence/plan/plan-store.ts";
import { readChanges } from "../../persistence/plan/resource-change-store.ts";
import { createReads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

export interface ChangeExport {
  planId: string;
  /** Reads the changes in order, a JSON object a line, in parts that fit into memory. */
  read: () => AsyncGenerator<Buffer, void, undefined>;
}

/** Exports changes for callers that may read the run. */
export interface ChangeExports {
  /** Opens an export. Throws NOT_FOUND. */
  open: (caller: ActorCaller, planId: string) => Promise<ChangeExport>;
}

export function createChangeExports({ database, rights }: Pick<Deps, "database" | "rights">): ChangeExports {
  const reads = createReads(database, rights);
  const plans = reads.byId(
    (ids) => findPlans(database, ids),
    (plan) => plan,
  );
  async function* read(planId: string): AsyncGenerator<Buffer, void, undefined> {
    for await (const changes of readChanges(database, planId)) {
      yield Buffer.from(changes.map((change) => `${JSON.stringify(change)}\n`).join(""));
    }
  }
  return {
    async open(caller, planId) {
      const [found = null] = idKind(planId) === "plan" ? await plans([planId]) : [];
      const plan = found?.permit(caller, "RUN_READ") ?? null;
      if (plan === null) throw notFound("plan");
      return { planId: plan.id, read: () => read(plan.id) };
    },
  };
}
