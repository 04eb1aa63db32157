import type { OverviewQuery } from "../generated/graphql.ts";
import { Fact, Facts } from "../parts/facts.tsx";
import { Ago } from "../parts/time.tsx";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import styles from "./overview-page.module.css";

type ShownActivity = NonNullable<OverviewQuery["organization"]>["activity"];

/** The live runs of an organization by status, the one that waits longest, and its places. */
export function Activity({ activity }: { activity: ShownActivity }) {
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
      </Facts>
    </section>
  );
}
