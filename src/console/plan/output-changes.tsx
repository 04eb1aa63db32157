import { PlanOutputsDocument, type RunPageFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Differences } from "./change.tsx";
import { type Difference, differences } from "./diff.ts";
import { SIGNS } from "./signs.ts";

type Plan = NonNullable<RunPageFragment["plan"]>;

/** The outputs that a plan changes, with their values once they are read. */
export function OutputChanges({ plan }: { plan: Plan }) {
  const [{ data }] = useDocument(PlanOutputsDocument, { id: plan.id }, { pause: plan.outputChanges.length === 0 });
  const read = data?.node?.__typename === "Plan" ? data.node.outputChanges : [];
  const valuesOf = new Map(read.map((output) => [output.name, output]));
  if (plan.outputChanges.length === 0) return null;
  return (
    <section aria-label="Outputs">
      <h3>Outputs</h3>
      <ul>
        {plan.outputChanges.map(({ name, action, sensitive }) => (
          <li key={name}>
            <span aria-hidden="true">{SIGNS[action] ?? "?"}</span> <code>{visible(name)}</code> {wordsOf(action)}
            {sensitive && <span className="quiet"> (sensitive)</span>}
            <Differences differences={differencesOf(valuesOf.get(name))} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OutputValues {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly sensitive: boolean;
  readonly unknown: boolean;
}

function differencesOf(values: OutputValues | undefined): Difference[] {
  // The values of sensitive outputs are not given.
  if (values === undefined || values.sensitive) return [];
  const { before = null, after = null, unknown } = values;
  return differences({ before, after, unknownPaths: unknown ? [""] : [], sensitivePaths: [] });
}
