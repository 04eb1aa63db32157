import { useId, useState } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import { Comparison } from "./comparison.tsx";

/** Lets a person compare the plan with an earlier one of the run. Nothing where the run made one plan alone. */
export function Versions({ run }: { run: RunPageFragment }) {
  const id = useId();
  const [other, setOther] = useState(0);
  const { plan, plans } = run;
  if (plan == null || plans.length < 2) return null;
  const others = plans.filter(({ version }) => version !== plan.version).toSorted((a, b) => b.version - a.version);
  return (
    <>
      <p>
        <label htmlFor={id}>Compare v{plan.version} with </label>
        <select id={id} value={other} onChange={({ target }) => setOther(Number(target.value))}>
          <option value={0}>none</option>
          {others.map(({ version }) => (
            <option key={version} value={version}>
              v{version}
            </option>
          ))}
        </select>
      </p>
      {other > 0 && <Comparison planId={plan.id} version={plan.version} other={other} />}
    </>
  );
}
