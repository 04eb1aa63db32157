import { Link } from "@tanstack/react-router";
import type { PlanDetailsQuery, RunPageFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { paramsOf } from "../runs/run-link.tsx";

type Plan = Extract<PlanDetailsQuery["node"], { __typename: "Plan" }>;

interface WarningsProps {
  readonly run: RunPageFragment;
  readonly diagnostics: Plan["diagnostics"];
}

/** The warnings of the engine about a plan, each with its place in the configuration and its line of the log. */
export function Warnings({ run, diagnostics }: WarningsProps) {
  const warnings = diagnostics.filter(({ severity }) => severity === "WARNING");
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Warnings">
      <h3>Warnings</h3>
      <ul>
        {warnings.map(({ summary, detail, address, file, line, logLine }) => (
          <li key={`${address} ${file} ${line} ${logLine} ${summary}`}>
            {visible(summary)}
            {detail != null && `: ${visible(detail)}`}{" "}
            <span className="quiet">
              {address != null && <code>{visible(address)}</code>}{" "}
              {file != null && visible(line == null ? file : `${file} line ${line}`)}
            </span>{" "}
            {logLine != null && (
              <Link
                to="/o/$organization/w/$workspace/runs/$number"
                params={paramsOf(run)}
                search={{ tab: "log" }}
                hash={`L${logLine}`}
              >
                In the log
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
