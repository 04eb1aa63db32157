import type { PolicyVersionRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import type { Tone } from "../parts/words.ts";

const PARTS = [
  ["failed", "failed", "bad"],
  ["errored", "with an error", "bad"],
  ["warned", "warned", "asks"],
  ["passed", "passed", "good"],
] as const satisfies readonly (readonly [keyof PolicyVersionRowFragment["evaluationCounts"], string, Tone])[];

/** The judgements of a version, counted by their result. */
export function EvaluationCounts({ counts }: { counts: PolicyVersionRowFragment["evaluationCounts"] }) {
  if (counts.total === 0) return <span className="quiet">has judged nothing yet</span>;
  return PARTS.filter(([name]) => counts[name] > 0).map(([name, word, tone]) => (
    <span key={name}>
      <Mark tone={tone}>
        {counts[name]} {word}
      </Mark>{" "}
    </span>
  ));
}
