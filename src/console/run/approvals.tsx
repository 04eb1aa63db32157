import type { RunPageFragment } from "../generated/graphql.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** The decisions about the plans of a run; nothing where there are none. */
export function Approvals({ run: { approvals } }: { run: RunPageFragment }) {
  if (approvals.length === 0) return null;
  return (
    <table aria-label="Decisions">
      <thead>
        <tr>
          <th>Decision</th>
          <th>Gate</th>
          <th>Plan</th>
          <th>By</th>
          <th>When</th>
          <th>Comment</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
