import type { RunPageFragment } from "../generated/graphql.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { RunLink } from "../runs/run-link.tsx";
import styles from "./waits.module.css";

/** Why a run does not go further: one line for each reason, with its place and its end where they are known. */
export function Waits({ run: { blockers } }: { run: RunPageFragment }) {
  if (blockers.length === 0) return null;
  return (
    <ul className={styles["waits"]} aria-label="Why it waits">
      {blockers.map(({ kind, message, position, since, until, estimatedStartAt, run }) => (
        <li key={`${kind} ${since} ${message}`}>
          {visible(message)} {run != null && <RunLink run={run} />}{" "}
          <span className="quiet">
            since <Ago at={since} />
            {position != null && `, place ${position}`}
            {until != null && (
              <>
                , until <Ago at={until} />
              </>
            )}
            {estimatedStartAt != null && (
              <>
                , expected <Ago at={estimatedStartAt} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
