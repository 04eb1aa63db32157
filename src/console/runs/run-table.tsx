import type { RunRowFragment } from "../generated/graphql.ts";
import { Counts } from "../parts/counts.tsx";
import { Status } from "../parts/status.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "./run-link.tsx";
import styles from "./run-table.module.css";

/** A list of runs. Rows keep their places: what changes is in the row. */
export function RunTable({ runs, label }: { runs: readonly RunRowFragment[]; label: string }) {
  return (
    <table className={styles["runs"]} aria-label={label}>
      <thead>
        <tr>
          <th>Run</th>
          <th>Status</th>
          <th>Changes</th>
          <th>By</th>
          <th>Since</th>
          <th>Message</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <RunLink run={run} /> <span className="quiet">{wordsOf(run.kind)}</span>
            </td>
            <td>
              <Status run={run} />
            </td>
            <td>
              <Counts plan={run.plan} />
            </td>
            <td>{visible(run.createdBy.name)}</td>
            <td>
              <Ago at={run.createdAt} />
            </td>
            <td className={styles["message"]}>{visible(run.message ?? "")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
