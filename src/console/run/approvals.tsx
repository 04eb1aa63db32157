import type { RunPageFragment } from "../generated/graphql.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** The decisions about the plans of a run; nothing where there are none. */
export function Approvals({ run: { approvals } }: { run: RunPageFragment }) {
  if (approvals.length === 0) return null;
  return (
    <Table label="Decisions" heads={["Decision", "Gate", "Plan", "By", "When", "Comment"]}>
      {approvals.map(({ id, decision, gate, stage, planVersion, actor, at, comment, counts }) => (
        <tr key={id}>
          <td>
            {wordsOf(decision)}
            {!counts && " (does not count)"}
          </td>
          <td>{visible([wordsOf(gate), stage].filter((part) => part != null).join(", "))}</td>
          <td>v{planVersion}</td>
          <td>{visible(actor.name)}</td>
          <td>
            <Ago at={at} />
          </td>
          <td>{visible(comment ?? "")}</td>
        </tr>
      ))}
    </Table>
  );
}
