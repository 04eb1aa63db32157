import { loaderOf } from "../kit/loader.ts";
import { runLoader } from "../kit/refs.ts";
import { checkReportLoader } from "../plan/check-report.ts";
import { newestPlanLoader } from "../plan/plan.ts";
import { blockersLoader } from "./blocker.ts";
import type { Blocker } from "../../model/admission/blocker.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { checkProblem, type CheckReport, isFailed } from "../../model/plan/check-block.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { GraphqlContext } from "../kit/context.ts";

const reportedFoldersLoader = loaderOf((domain, caller, ids) => domain.reportedFolders(caller, ids));
const destroyedAddressesLoader = loaderOf((domain, caller, ids) => domain.destroyedAddresses(caller, ids));

/** Reads blockers only for a run that waits for something other than people. */
export async function readBlockers({ loaders }: GraphqlContext, run: Run): Promise<Blocker[]> {
  const { queued, claimable } = STATUS_TRAITS[run.status];
  return queued || claimable ? loaders.load(blockersLoader, run) : [];
}

/** Reads the plan only if the run has one. A run of kind APPLY has the plan of its PLAN run. */
export async function readNewestPlan({ loaders }: GraphqlContext, run: Run): Promise<Plan | null> {
  return run.planVersion > 0 ? loaders.load(newestPlanLoader, plannedBy(run)) : null;
}

/** Writes the warning about destructions. `first` holds the addresses to name; the rest is counted. */
function destroyWarning({ destructions }: Plan, first: string[]): string {
  const count = destructions === 1 ? "1 resource" : `${destructions} resources`;
  if (first.length === 0) return `This run destroys ${count}.`;
  const rest = destructions - first.length;
  return `This run destroys ${count}: ${first.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}.`;
}

/** The run that a rollback goes back to, also for the retry of a rollback; `null` for any other run. */
export async function readRollbackTarget({ loaders }: GraphqlContext, run: Run): Promise<Run | null> {
  if (run.cause?.type === "ROLLBACK") return loaders.load(runLoader, run.cause.toRunId);
  let at: Run | null = run;
  while (at !== null && at.trigger === "RETRY")
    at = at.originId === null ? null : await loaders.load(runLoader, at.originId);
  return at?.trigger === "ROLLBACK" && at.kind === "DEPLOY" && at.originId !== null
    ? loaders.load(runLoader, at.originId)
    : null;
}

function rollbackWarning({ number }: Run): string {
  const back = `This run goes back to run ${number}: to its source and its variables, with the current credentials.`;
  return `${back} The next run takes the current source and variables again, and undoes the rollback.`;
}

/** The number of folders that a warning names. */
const NAMED_FOLDERS = 10;

function reportedWarning(folders: readonly string[]): string {
  const more = folders.length > NAMED_FOLDERS ? ` and ${folders.length - NAMED_FOLDERS} others` : "";
  const names = `${folders.slice(0, NAMED_FOLDERS).join(", ")}${more}`;
  return `The engine took modules from ${names}, which the configuration does not name. Changes there count from the next run on.`;
}

/** Writes the warning about check blocks of a plan that fail. */
function checksWarning({ blocks, failedCount }: CheckReport): string {
  const named = blocks.filter(isFailed).slice(0, LIMITS.checkBlocksNamed);
  const more = failedCount - named.length;
  const rest = more > 0 ? ` ${more} more fail.` : "";
  return `Check blocks do not pass in this plan. ${named.map(checkProblem).join(" ")}${rest}`;
}

/** Collects the warnings that a person should read before deciding. */
export async function readWarnings(context: GraphqlContext, run: Run): Promise<string[]> {
  const plan = await readNewestPlan(context, run);
  const warnings: string[] = [];
  const target = await readRollbackTarget(context, run);
  if (target !== null) warnings.push(rollbackWarning(target));
  if (run.command !== null) warnings.push(`This run executes a command in the prepared workspace: ${run.command}`);
  const reported = await context.loaders.load(reportedFoldersLoader, run.id);
  if (reported.length > 0) warnings.push(reportedWarning(reported));
  if (plan === null) return warnings;
  if (run.kind === "DESTROY" && plan.destructions > 0) {
    warnings.push(destroyWarning(plan, await context.loaders.load(destroyedAddressesLoader, plan.id)));
  }
  if (plan.failedCheckCount > 0) {
    const report = await context.loaders.load(checkReportLoader, run.id);
    if (report !== null && !report.afterApply) warnings.push(checksWarning(report));
  }
  if (!plan.complete) {
    warnings.push(
      plan.targets.length > 0
        ? "The plan is limited to its targets; another plan is needed to converge."
        : "The plan is not complete: some changes were left out, and another plan is needed to converge.",
    );
  }
  return warnings;
}
