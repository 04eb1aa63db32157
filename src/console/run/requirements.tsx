import type { RunPageFragment } from "../generated/graphql.ts";
import { wordsOf } from "../parts/words.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import styles from "./requirements.module.css";

/** The approvals that are there, those that are missing, and why the viewer counts or does not. */
export function Requirements({ run: { approvalRequirements } }: { run: RunPageFragment }) {
  const shown = approvalRequirements.filter(({ current, given }) => current || given.length > 0);
  if (shown.length === 0) return null;
  return (
    <ul className={styles["requirements"]}>
      {shown.map(
        ({ gate, stage, satisfied, missing, reason, given, eligibleActors, viewerCanApprove, viewerReason }) => (
          <li key={`${gate} ${stage ?? ""}`}>
            <span aria-hidden="true">{satisfied ? "✓" : "○"}</span>{" "}
            {[wordsOf(gate), stage]
              .filter((part) => part != null)
              .map(visible)
              .join(" gate, ")}
            {satisfied ? "" : `: ${missing} missing`}
            {reason != null && <span className="quiet"> ({visible(reason)})</span>}
            {given.map(({ id, actor, at, planVersion }) => (
              <div key={id}>
                Approved by {visible(actor.name)}, plan v{planVersion}, <Ago at={at} />
              </div>
            ))}
            {!satisfied && !viewerCanApprove && viewerReason != null && (
              <div className="quiet">{visible(viewerReason)}</div>
            )}
            {!satisfied && eligibleActors.length > 0 && (
              <div className="quiet">Can approve: {eligibleActors.map(({ name }) => visible(name)).join(", ")}</div>
            )}
          </li>
        ),
      )}
    </ul>
  );
}
