import type { OverviewQuery } from "../generated/graphql.ts";
import { Fact, Facts } from "../parts/facts.tsx";
import { Ago, durationOf } from "../parts/time.tsx";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import { type Figures, RECENT_DAYS } from "./recent-figures.ts";
import styles from "./overview-page.module.css";

type ShownActivity = NonNullable<OverviewQuery["organization"]>["activity"];

interface ActivityProps {
  activity: ShownActivity;
  /** Figures of the last days; `null` until they are read. */
  figures: Figures | null;
}

/** The live runs of an organization by status, the one that waits longest, its places, and the figures of the last days. */
export function Activity({ activity, figures }: ActivityProps) {
  const { counts, oldestAtGate, busyPlaces, places, queueLength, nextPlaceAt } = activity;
  const since = oldestAtGate?.timeline.at(-1)?.at;
  return (
    <section className={styles["activity"]} aria-label="Activity">
      <Facts>
        <Fact name="Live runs">
          {counts.length === 0 ? "none" : counts.map(({ status, count }) => `${count} ${wordsOf(status)}`).join(", ")}
        </Fact>
        {oldestAtGate != null && (
          <Fact name="Waits longest at a gate">
            <RunLink run={oldestAtGate} />
            {since !== undefined && (
              <>
                , since <Ago at={since} />
              </>
            )}
          </Fact>
        )}
        <Fact name="Places">{busyPlaces == null ? places : `${busyPlaces} of ${places} busy`}</Fact>
        {queueLength != null && <Fact name="Queue">{queueLength}</Fact>}
        {nextPlaceAt != null && (
          <Fact name="Next free place">
            about <Ago at={nextPlaceAt} />
          </Fact>
        )}
        {figures !== null && <Recent figures={figures} />}
      </Facts>
    </section>
  );
}

function Recent({ figures }: { figures: Figures }) {
  const { endedRuns, appliedRuns, failureRate, waitAtGates } = figures;
  return (
    <>
      <Fact name={`Last ${RECENT_DAYS} days`}>
        {appliedRuns} applied of {endedRuns} {endedRuns === 1 ? "run" : "runs"}
        {failureRate != null && `, ${Math.round(failureRate * 100)} % failed`}
      </Fact>
      {waitAtGates != null && (
        <Fact name="Time at gates">
          median {durationOf(waitAtGates.medianSeconds)}, 95 % within {durationOf(waitAtGates.p95Seconds)}
        </Fact>
      )}
    </>
  );
}
