import type { RunPageFragment } from "../generated/graphql.ts";
import { Table } from "../parts/table.tsx";
import { Ago, durationOf } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Approvals } from "./approvals.tsx";

/** The events of a run: when, and by whom. */
export function Timeline({ run }: { run: RunPageFragment }) {
  return (
    <>
      <Table label="Statuses" heads={["Status", "Since", "For", "By", "Reason"]}>
        {run.timeline.map(({ status, at, durationSeconds, actor, reason }) => (
          <tr key={`${status} ${at}`}>
            <td>{wordsOf(status)}</td>
            <td>
              <Ago at={at} />
            </td>
            <td>{durationSeconds == null ? "" : durationOf(durationSeconds)}</td>
            <td>{visible(actor.name)}</td>
            <td>{visible(reason ?? "")}</td>
          </tr>
        ))}
      </Table>
      <Approvals run={run} />
    </>
  );
}
