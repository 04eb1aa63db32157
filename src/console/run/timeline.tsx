import type { RunPageFragment } from "../generated/graphql.ts";
import { Ago, durationOf } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** The events of a run: when, and by whom. */
export function Timeline({ run: { timeline, approvals } }: { run: RunPageFragment }) {
  return (
    <>
      <table aria-label="Statuses">
        <thead>
          <tr>
            <th>Status</th>
            <th>Since</th>
            <th>For</th>
            <th>By</th>
            <th>Reason</th>
          </tr>
        </thead>
        <tbody>
          {timeline.map(({ status, at, durationSeconds, actor, reason }) => (
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
        </tbody>
      </table>
      {approvals.length > 0 && (
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
                <td>{[wordsOf(gate), stage].filter((part) => part != null).join(", ")}</td>
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
      )}
    </>
  );
}
