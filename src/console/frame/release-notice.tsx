import { useSyncExternalStore } from "react";
import { hasOtherRelease, onRelease } from "../live/release.ts";
import styles from "./frame.module.css";

/** Asks for a reload where the server was updated. The page does not reload on its own: a person may be writing. */
export function ReleaseNotice() {
  const isOther = useSyncExternalStore(onRelease, hasOtherRelease);
  if (!isOther) return null;
  return (
    <output className={styles["notice"]}>
      The server has another release of this page.{" "}
      <button type="button" onClick={() => location.reload()}>
        Load it
      </button>
    </output>
  );
}
