/** Estimates of the cost of a plan in the outcomes of external checks. */
import { type CostEstimate, readInfracost } from "../policy/cost-estimate.ts";
import type { CheckOutcome } from "./external-check.ts";

/** The id of the outcome whose body is the JSON of Infracost; a file of hooks has the same name. */
export const COST_OUTCOME = "infracost.json";

/** A block of code of Markdown, which shows the JSON to readers. */
const FENCED = /^```(?:json)?\n([^]*)\n```$/;

/**
 * Reads the estimate in outcomes: `null` if none of them is one. Of several, the first one counts. Returns the index of an
 * outcome that should be an estimate and cannot be read.
 */
export function readCostOutcome(
  outcomes: readonly CheckOutcome[],
): { cost: CostEstimate | null } | { invalid: number } {
  const index = outcomes.findIndex(({ outcomeId }) => outcomeId === COST_OUTCOME);
  const found = outcomes[index];
  if (found === undefined) return { cost: null };
  const cost = found.body === null ? null : readInfracost(parse(found.body));
  return cost === null ? { invalid: index } : { cost };
}

function parse(body: string): unknown {
  const text = body.trim();
  try {
    const value: unknown = JSON.parse(FENCED.exec(text)?.[1] ?? text);
    return value;
  } catch {
    return null;
  }
}
