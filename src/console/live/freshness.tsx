import { useSyncExternalStore } from "react";
import { useNow } from "../parts/time.tsx";
import styles from "./freshness.module.css";
import { client, type LinkStatus, linkStatus, onLink } from "./link.ts";

/** How the connection is now. */
const useLink = (): LinkStatus => useSyncExternalStore(onLink, linkStatus);

/** Whether the page shows what is true now. If not, nothing can be decided on it. */
export const useIsLive = (): boolean => useLink().state === "LIVE";

const WORDS = { LIVE: "live", CHECKING: "checking", STALE: "offline" } as const;

/** Shows whether the page is up to date, and lets a person try again at once. */
export function Freshness() {
  const { state, aliveAt } = useLink();
  const now = useNow();
  const seconds = aliveAt === null ? null : Math.max(0, Math.round((now - aliveAt) / 1000));
  return (
    <output className={styles["freshness"]} data-state={state}>
      <span aria-hidden="true">●</span> {WORDS[state]}
      {state === "STALE" && seconds !== null && `, as of ${seconds} s ago`}
      {state !== "LIVE" && (
        <button type="button" onClick={() => client.checkNow()}>
          Try now
        </button>
      )}
    </output>
  );
}
