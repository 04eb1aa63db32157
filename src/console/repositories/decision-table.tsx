import { Link } from "@tanstack/react-router";
import type { DecisionFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import styles from "./decision-table.module.css";

/** A later release may have more outcomes. */
const TONES: Readonly<Record<string, Tone>> = { RUN_CREATED: "good", SKIPPED: "quiet", WAITING_FOR_OK: "asks" };

/** Shows the result of a change in each workspace, with the reason and the files that it read. */
export function DecisionTable({ label, decisions }: { label: string; decisions: readonly DecisionFragment[] }) {
  return (
    <Table label={label} heads={["Workspace", "Result", "Why"]}>
      {decisions.map((decision, at) => (
        <tr key={decision.workspace?.id ?? at}>
          <td>
            <WorkspaceLink workspace={decision.workspace ?? null} />
          </td>
          <td>
            <Mark tone={TONES[decision.outcome] ?? "quiet"}>{wordsOf(decision.outcome)}</Mark>
            {decision.run != null && (
              <div>
                <RunLink run={decision.run} />
              </div>
            )}
          </td>
          <td>
            {visible(decision.message)} <span className="quiet">{wordsOf(decision.reason)}</span>
            <Paths summary="Files that differ" paths={decision.changed} />
            {decision.inputs != null && <Inputs inputs={decision.inputs} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function WorkspaceLink({ workspace }: { workspace: DecisionFragment["workspace"] }) {
  if (workspace == null) return <span className="quiet">one that you may not see</span>;
  const { name, organization } = workspace;
  return (
    <Link to="/o/$organization/w/$workspace" params={{ organization: organization.slug, workspace: name }}>
      {name}
    </Link>
  );
}

function Inputs({ inputs }: { inputs: NonNullable<DecisionFragment["inputs"]> }) {
  return (
    <>
      <Paths summary="Files and folders that are read" paths={[...inputs.folders, ...inputs.paths]} />
      <Paths summary="What only the engine knows" paths={inputs.unresolved} />
    </>
  );
}

function Paths({ summary, paths }: { summary: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <details className={styles["paths"]}>
      <summary>
        {summary}: {paths.length}
      </summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{visible(path)}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
