import { useSyncExternalStore } from "react";
import { dismissAbsence, lastAbsence, onAbsence } from "../live/absence.ts";
import { Status } from "../parts/status.tsx";
import { durationOf } from "../parts/time.tsx";
import { RunLink } from "../runs/run-link.tsx";
import styles from "./frame.module.css";

const LISTED = 5;

/** Shows the runs that changed while the page had no connection, until a person has read it. */
export function MissedNotice() {
  const absence = useSyncExternalStore(onAbsence, lastAbsence);
  if (absence === null) return null;
  const { from, to, runs, isCut } = absence;
  const count = `${runs.length} ${runs.length === 1 ? "run" : "runs"}`;
  return (
    <section aria-label="Missed" className={styles["notice"]}>
      <output>
        This page had no connection for {durationOf((to - from) / 1000)}.{" "}
        {isCut ? "More happened than the server keeps: the page was read again." : `${count} changed meanwhile:`}
      </output>
      {runs.slice(0, LISTED).map((run) => (
        <span key={run.id} className={styles["missed"]}>
          <RunLink run={run} /> <Status run={run} />
        </span>
      ))}
      {runs.length > LISTED && <span>and {runs.length - LISTED} more</span>}
      <button type="button" onClick={dismissAbsence}>
        Dismiss
      </button>
    </section>
  );
}
