import { visible } from "./visible.ts";
import styles from "./withdrawn.module.css";

interface WithdrawnOf {
  /** The reason as a sentence. Absent: no more is known than that something changed. */
  readonly reason?: string | undefined;
  /** The step that is left to the person. */
  readonly advice: string;
}

/** States that a dialog can no longer send its command, since what offered it has left the page. It stays in sight. */
export function Withdrawn({
  reason = "This is no longer offered, because something changed meanwhile.",
  advice,
}: WithdrawnOf) {
  return (
    <p role="alert" className={styles["withdrawn"]}>
      {visible(reason)} Nothing can be sent any more. {advice}
    </p>
  );
}
