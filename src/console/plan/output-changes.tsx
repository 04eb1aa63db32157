import type { PlanDetailsQuery } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Differences } from "./change.tsx";
import { outputDifferences } from "./output-differences.ts";
import { SIGNS } from "./signs.ts";

type Plan = Extract<PlanDetailsQuery["node"], { __typename: "Plan" }>;
type Output = Plan["outputChanges"][number];

/** The outputs that a plan changes, with their values. */
export function OutputChanges({ outputs }: { outputs: readonly Output[] }) {
  if (outputs.length === 0) return null;
  return (
    <section aria-label="Outputs">
      <h3>Outputs</h3>
      <ul>
        {outputs.map((output) => (
          <li key={output.name}>
            <span aria-hidden="true">{SIGNS[output.action] ?? "?"}</span> <code>{visible(output.name)}</code>{" "}
            {wordsOf(output.action)}
            {output.sensitive && <span className="quiet"> (sensitive)</span>}
            <Differences differences={outputDifferences(output)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
