/** Simulations: the policies of today, over the documents of past plans. */
import type { Judgement, PolicyFinding } from "./evaluator.ts";

export const SIMULATION_STATES = ["RUNNING", "STOPPED", "FINISHED"] as const;
export type SimulationState = (typeof SIMULATION_STATES)[number];

/** The judgement of a plan when it was made. */
export const EARLIER_JUDGEMENTS = ["PASSED", "WARNED", "FAILED", "ERRORED", "CANCELED"] as const;
export type EarlierJudgement = (typeof EARLIER_JUDGEMENTS)[number];

/** The judgement of a plan now. UNKNOWN: it has no document any more. */
export const SIMULATED_JUDGEMENTS = ["PASSED", "WARNED", "FAILED", "ERRORED", "UNKNOWN"] as const;
export type SimulatedJudgement = (typeof SIMULATED_JUDGEMENTS)[number];

export interface PolicySimulation {
  id: string;
  setId: string;
  /** `null`: rules that are no version. */
  versionId: string | null;
  state: SimulationState;
  createdById: string;
  createdAt: string;
  finishedAt: string | null;
}

/** A finding as a simulation stores it: bounded, and without its trace. */
export type SimulatedFinding = Omit<PolicyFinding, "trace">;

/** One plan of a simulation. */
export interface SimulatedPlan {
  simulationId: string;
  /** From 1: the newest run first. */
  position: number;
  runId: string;
  planId: string;
  planVersion: number;
  /** `null` if no version of the set judged it. */
  before: EarlierJudgement | null;
  /** `null` if it was not reached yet. */
  after: SimulatedJudgement | null;
  findings: readonly SimulatedFinding[];
  error: string | null;
  doneAt: string | null;
}

/** NEWLY_DENIED: it would be held up, and was not. NEWLY_PASSING: it was, and would not be. */
export const SIMULATION_OUTCOMES = ["NEWLY_DENIED", "NEWLY_PASSING", "SAME", "ERROR", "UNKNOWN"] as const;
export type SimulationOutcome = (typeof SIMULATION_OUTCOMES)[number];

/** Compares the judgement of now with that of then; `null` if the plan was not reached yet. */
export function outcomeOf({ before, after }: Pick<SimulatedPlan, "before" | "after">): SimulationOutcome | null {
  if (after === null || after === "UNKNOWN") return after;
  if (after === "ERRORED") return "ERROR";
  const wasDenied = before === "FAILED" || before === "ERRORED";
  const isDenied = after === "FAILED";
  if (wasDenied === isDenied) return "SAME";
  return isDenied ? "NEWLY_DENIED" : "NEWLY_PASSING";
}

/** The plans of a simulation that a caller may see, by their outcomes. */
export interface SimulationCounts {
  total: number;
  done: number;
  newlyDenied: number;
  newlyPassing: number;
  errors: number;
  unknown: number;
}

/** Counts pairs of judgements. */
export function countOutcomes(
  pairs: readonly (Pick<SimulatedPlan, "before" | "after"> & { count: number })[],
): SimulationCounts {
  const sum = (has: (outcome: SimulationOutcome | null) => boolean): number =>
    pairs.reduce((total, pair) => total + (has(outcomeOf(pair)) ? pair.count : 0), 0);
  return {
    total: sum(() => true),
    done: sum((outcome) => outcome !== null),
    newlyDenied: sum((outcome) => outcome === "NEWLY_DENIED"),
    newlyPassing: sum((outcome) => outcome === "NEWLY_PASSING"),
    errors: sum((outcome) => outcome === "ERROR"),
    unknown: sum((outcome) => outcome === "UNKNOWN"),
  };
}

/** Returns the judgement that findings and errors amount to. */
export function judgementOf({ findings, errors }: Judgement): SimulatedJudgement {
  if (errors.length > 0) return "ERRORED";
  if (findings.some(({ level, approvers }) => level !== "ADVISORY" || approvers !== null)) return "FAILED";
  return findings.length > 0 ? "WARNED" : "PASSED";
}
