import { Link } from "@tanstack/react-router";
import type { CheckBlocksFragment, WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { CheckBlocks } from "../run/check-blocks.tsx";

type Check = NonNullable<WorkspaceSettingsQuery["workspace"]>["externalChecks"][number];

interface WorkspaceChecksOf {
  readonly checks: readonly Check[];
  readonly report: CheckBlocksFragment | null;
  readonly organization: string;
}

/** The external checks that judge the runs of a workspace, and the check blocks of its state; nothing without any. */
export function WorkspaceChecks({ checks, report, organization }: WorkspaceChecksOf) {
  if (checks.length === 0 && report === null) return null;
  return (
    <section className="panel" aria-label="Checks">
      <h2>Checks</h2>
      {checks.length > 0 && (
        <ul>
          {checks.map(({ id, name, level, stages }) => (
            <li key={id}>
              <Link to="/o/$organization/checks" params={{ organization }}>
                {visible(name)}
              </Link>{" "}
              {wordsOf(level)}, {stages.map(wordsOf).join(", ")}
            </li>
          ))}
        </ul>
      )}
      {report !== null && <CheckBlocks checks={report} />}
    </section>
  );
}
