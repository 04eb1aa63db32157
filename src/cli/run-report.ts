import type { RunOutcomeQuery, WorkspaceOutputsQuery } from "../client/generated/graphql.ts";
import type { RunAtGate } from "./gate-prompt.ts";
import type { LiveView } from "./live-view.ts";

type EndedRun = NonNullable<RunOutcomeQuery["run"]>;
type Outputs = NonNullable<WorkspaceOutputsQuery["workspace"]>["outputs"];
type PlanAtGate = NonNullable<RunAtGate["plan"]>;

/** Formats the counts of a plan in one line. Zero counts are left out, except for the three usual ones. */
export function planCounts(plan: Omit<PlanAtGate, "text">): string {
  const always = [`${plan.additions} to add`, `${plan.changes} to change`, `${plan.destructions} to destroy`];
  const others: readonly (readonly [number, string])[] = [
    [plan.replacements, "to replace"],
    [plan.imports, "to import"],
    [plan.moves, "to move"],
    [plan.forgets, "to forget"],
  ];
  return [...always, ...others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)].join(", ");
}

/** Shows a plan for a decision. Its text is left out if the same plan was shown before. */
export function showPlan(view: LiveView, run: RunAtGate, plan: PlanAtGate, withText: boolean): void {
  view.print("");
  view.print(`Plan ${plan.version} of run ${run.number}: ${planCounts(plan)}`, "strong");
  view.print(`digest ${plan.digest}`, "quiet");
  if (withText && plan.text) view.block(plan.text);
  else if (!withText) view.print("It is the plan shown above.", "quiet");
  if (!plan.complete) view.print("The plan is not complete: another one is needed to converge.", "caution");
  for (const warning of run.warnings) view.print(`Warning: ${warning}`, "caution");
  view.print("");
}

/** Shows outputs, never a sensitive value. */
export function showOutputs(view: LiveView, outputs: Outputs): void {
  if (outputs.length === 0) return;
  const width = Math.max(...outputs.map((output) => output.name.length));
  view.print("");
  view.print("Outputs", "strong");
  view.block(outputs.map((output) => `${output.name.padEnd(width)} = ${outputText(output)}`).join("\n"));
}

function outputText({ value, sensitive }: Outputs[number]): string {
  if (sensitive) return "(sensitive)";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Shows how a run ended, with the evidence of a failure. */
export function showOutcome(view: LiveView, run: EndedRun): void {
  view.print("");
  if (run.outcome === "NO_CHANGES") {
    view.print("No changes: the infrastructure matches the configuration.", "good");
  } else if (run.status === "FINISHED") {
    view.print(`Run ${run.number} has finished: ${run.outcome ?? "FINISHED"}.`, "good");
  } else {
    const forced = run.forced ? ", by force" : "";
    const reason = run.reason ? `: ${run.reason}` : ".";
    view.print(`Run ${run.number} has ended ${run.status}${forced}${reason}`, run.failure ? "bad" : "caution");
  }
  if (run.failure) showFailure(view, run.failure);
}

function showFailure(view: LiveView, failure: NonNullable<EndedRun["failure"]>): void {
  const reason = failure.reason ? `, ${failure.reason}` : "";
  view.print(`${failure.code} (${failure.stage}${reason}): ${failure.summary}`, "bad");
  if (failure.likelyCause) view.print(`Likely cause: ${failure.likelyCause}`);
  const others = failure.resources
    .slice(1)
    .map(({ address, summary }) => (address ? `${address}: ${summary}` : summary));
  if (others.length > 0) {
    view.print("Also failed:");
    view.block(others.join("\n"));
  }
  if (failure.evidence.length > 0) view.block(failure.evidence.join("\n"), "quiet");
  if (failure.appliedAddresses && failure.appliedAddresses.length > 0) {
    view.print("Applied before that:");
    view.block(failure.appliedAddresses.join("\n"));
  }
  if (failure.stateUncertain) {
    view.print("It is unknown how far the apply got. Check the resources, then unlock the workspace by force.", "bad");
  }
  if (failure.retryable) view.print("Plan again: a new plan may succeed without a change.");
}
