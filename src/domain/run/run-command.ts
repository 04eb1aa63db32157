/** What every command of a person about a run has in common. */
import { idKind } from "../../model/kit/id.ts";
import type { TokenAction, TokenCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import { type Acceptance, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import { can } from "../../model/people/permission.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { factsOf, type LockedRun, lockForChange } from "../lifecycle/locked-run.ts";

export interface RunCommandSpec {
  name: string;
  action: TokenAction;
  /** For the error of somebody who may not: "to approve runs". */
  words: string;
  runId: string;
  comment: string | null;
  /** Further checks of the input. */
  check?: (input: InputCheck) => void;
  /** What may be known under the lock only: throws FORBIDDEN, or adds to what is wrong with the input. */
  examine?: (tx: Transaction, locked: LockedRun, input: InputCheck) => Promise<void>;
}

/** Authorises, checks, locks the run and does the work in one transaction. Refusals are recorded. */
export async function commandRun<T = Run>(
  deps: Deps,
  caller: TokenCaller,
  spec: RunCommandSpec,
  work: (tx: Transaction, locked: LockedRun) => Promise<T>,
): Promise<T> {
  return recorded(deps, caller, spec.name, spec.runId, () =>
    deps.database.transaction(async (tx) => {
      const locked = idKind(spec.runId) === "run" ? await lockForChange(tx, deps, spec.runId) : null;
      if (locked === null || !can(caller, "run:read")) throw notFound("run");
      authorize(caller, spec.action, spec.words);
      const input = new InputCheck();
      await spec.examine?.(tx, locked, input);
      input.text("comment", spec.comment);
      spec.check?.(input);
      input.done();
      return work(tx, locked);
    }),
  );
}

/** Asks the machine; a refusal is an error that carries the run as it is. */
export function decideOrThrow(locked: LockedRun, command: RunCommand): Acceptance {
  const decision = decide(factsOf(locked), command);
  if (!decision.accepted) throw new UserError(decision.code, decision.reason, { runId: locked.run.id });
  return decision;
}

/** The version of a plan that a caller names. */
export function checkPlanVersion(input: InputCheck, planVersion: number | null): void {
  if (planVersion !== null) input.require(planVersion >= 0, "planVersion", "must be the version of a plan: 0 or more.");
}
