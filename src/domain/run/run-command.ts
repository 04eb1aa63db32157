/** The template of commands about a run. */
import { idKind } from "../../model/kit/id.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { Run } from "../../model/run/run.ts";
import { type AcceptedTransition, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockWorkspaceOfRun } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command, type Demand, type Sees } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

export interface RunCommandSpec {
  /** A function where the permission depends on the run. */
  permission: Permission | ((run: Run) => Permission);
  /** The words for its error. */
  words: string;
  name: string;
  runId: string;
  /** Permissions that this input requires beyond `permission`. */
  demands?: readonly Demand[];
  comment: string | null;
  /** Checks the rest of the input. */
  check?: (input: InputCheck) => void;
  /** Checks that need the lock: throws FORBIDDEN, or adds issues to the input. */
  examine?: (tx: Transaction, locked: LockedRun, input: InputCheck) => Promise<void>;
}

/** Runs a command under the locks of its workspace and its run (`command`). */
export function commandRun<T = Run>(
  deps: Deps,
  caller: ActorCaller,
  { runId, comment, examine, check, permission, ...spec }: RunCommandSpec,
  work: (tx: Transaction, locked: LockedRun) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...spec,
      permission: ({ run }: LockedRun) => (typeof permission === "function" ? permission(run) : permission),
      subjectId: runId,
      noun: "run",
      find: (tx, sees) => lockSeen(tx, deps, runId, sees),
      placeOf: ({ run }) => run,
      sight: "RUN_READ",
      check: async (input, locked, tx) => {
        await examine?.(tx, locked, input);
        input.text("comment", comment);
        check?.(input);
      },
    },
    work,
  );
}

/** Locks a run for a change; `null` if it does not exist or the caller does not see it. */
async function lockSeen(tx: Transaction, deps: Deps, runId: string, sees: Sees): Promise<LockedRun | null> {
  const workspace = idKind(runId) === "run" ? await lockWorkspaceOfRun(tx, runId) : null;
  if (workspace === null || !sees(workspacePlace(workspace))) return null;
  return lockForChange(tx, deps, runId, workspace);
}

/** Decides a command by the machine. A refusal is thrown as an error that carries the current run. */
export function decideOrThrow(locked: LockedRun, command: RunCommand): AcceptedTransition {
  const decision = decide(machineInput(locked), command);
  if (decision.accepted) return decision;
  const planVersion = "planVersion" in command ? command.planVersion : null;
  const details = { runId: locked.run.id, ...(planVersion !== null && { planVersion }) };
  throw new UserError(decision.code, decision.reason, details);
}

/** Checks the version of a plan that a caller names. */
export function checkPlanVersion(input: InputCheck, planVersion: number | null): void {
  if (planVersion !== null) input.require(planVersion >= 0, "planVersion", "must be the version of a plan: 0 or more.");
}
