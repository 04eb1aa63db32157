import type { RunOutcomeQuery, WorkspaceOutputsQuery } from "../client/generated/graphql.ts";
import type { RunAtGate } from "./gate-prompt.ts";
import type { LiveView } from "./live-view.ts";

type EndedRun = NonNullable<RunOutcomeQuery["run"]>;
type Outputs = NonNullable<WorkspaceOutputsQuery["workspace"]>["outputs"];
type PlanAtGate = NonNullable<RunAtGate["plan"]>;

/** The counts of a plan in one line; what does not occur is left out, except for the three that everybody looks for. */
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

/** Shows a plan for a decision. Its text is left out where the same plan has been shown before. */
export function showPlan(view: LiveView, run: RunAtGate, plan: PlanAtGate, withText: boolean): void {
  view.say("");
  view.say(`Plan ${plan.version} of run ${run.number}: ${planCounts(plan)}`, "strong");
  view.say(`digest ${plan.digest}`, "quiet");
  if (withText && plan.text) view.block(plan.text);
  else if (!withText) view.say("It is the plan shown above.", "quiet");
  if (!plan.complete) view.say("It is not complete: another plan is needed to converge.", "caution");
  for (const warning of run.warnings) view.say(`Warning: ${warning}`, "caution");
  view.say("");
}

/** Shows outputs, never a sensitive value. */
export function showOutputs(view: LiveView, outputs: Outputs): void {
  if (outputs.length === 0) return;
  const width = Math.max(...outputs.map((output) => output.name.length));
  view.say("");
  view.say("Outputs", "strong");
  view.block(outputs.map((output) => `${output.name.padEnd(width)} = ${outputText(output)}`).join("\n"));
}

function outputText({ value, sensitive }: Outputs[number]): string {
  if (sensitive) return "(sensitive)";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Says how a run ended and, where it went wrong, what shows it. */
export function showOutcome(view: LiveView, run: EndedRun): void {
  view.say("");
  if (run.outcome === "NO_CHANGES") {
    view.say("No changes: everything is already as the configuration says.", "good");
  } else if (run.status === "FINISHED") {
    view.say(`Run ${run.number} has finished: ${run.outcome ?? "FINISHED"}.`, "good");
  } else {
    const forced = run.forced ? ", by force" : "";
    const reason = run.reason ? `: ${run.reason}` : ".";
    view.say(`Run ${run.number} has ended ${run.status}${forced}${reason}`, run.failure ? "bad" : "caution");
  }
  if (run.failure) showFailure(view, run.failure);
}

function showFailure(view: LiveView, failure: NonNullable<EndedRun["failure"]>): void {
  view.say(`${failure.code} (${failure.stage}): ${failure.summary}`, "bad");
  if (failure.likelyCause) view.say(`Likely cause: ${failure.likelyCause}`);
  if (failure.evidence.length > 0) view.block(failure.evidence.join("\n"), "quiet");
  if (failure.appliedAddresses && failure.appliedAddresses.length > 0) {
    view.say("Applied before that:");
    view.block(failure.appliedAddresses.join("\n"));
  }
  if (failure.stateUncertain) {
    view.say("Nobody knows how far the apply got: look at the resources, then unlock the workspace by force.", "bad");
  }
  if (failure.retryable) view.say("Another run may succeed as it is.");
}
