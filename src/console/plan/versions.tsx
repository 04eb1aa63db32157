import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import type { ChangeSearch, RunPageSearch } from "../run/run-page-search.ts";
import { paramsOf } from "../runs/run-link.tsx";
import { Comparison } from "./comparison.tsx";
import styles from "./plan-view.module.css";

interface VersionsProps {
  readonly run: RunPageFragment;
  /** The plan that is shown. */
  readonly shown: { readonly id: string; readonly version: number };
  readonly search: RunPageSearch;
  readonly onSearch: ChangeSearch;
}

/** The plans of a run, each with its address, and the comparison of two. Nothing where the run made one plan alone. */
export function Versions({ run, shown, search, onSearch }: VersionsProps) {
  const id = useId();
  const { plans } = run;
  if (plans.length < 2) return null;
  const others = plans.filter(({ version }) => version !== shown.version).toSorted((a, b) => b.version - a.version);
  const other = others.find(({ version }) => version === search.compare);
  return (
    <>
      <div className={styles["versions"]}>
        <nav aria-label="Plans of the run">
          {plans.map(({ version }) => (
            <Link
              key={version}
              to="/o/$organization/w/$workspace/runs/$number"
              params={paramsOf(run)}
              search={{ tab: "plan", ...(version !== run.plan?.version && { plan: version }) }}
              resetScroll={false}
              activeProps={{}}
              aria-current={version === shown.version ? "page" : undefined}
            >
              v{version}
              {version === run.plan?.version && <span className="quiet"> current</span>}
            </Link>
          ))}
        </nav>
        <span className={styles["compare"]}>
          <label htmlFor={id}>Compare v{shown.version} with </label>
          <select
            id={id}
            value={other?.version ?? 0}
            onChange={({ target }) => onSearch({ compare: Number(target.value) || undefined }, true)}
          >
            <option value={0}>none</option>
            {others.map(({ version }) => (
              <option key={version} value={version}>
                v{version}
              </option>
            ))}
          </select>
        </span>
      </div>
      {other !== undefined && <Comparison plan={shown} other={other} />}
    </>
  );
}
