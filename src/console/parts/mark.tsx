import styles from "./mark.module.css";
import type { Tone } from "./words.ts";

const SHAPES: Record<Tone, string> = { asks: "❚❚", busy: "▶", good: "✓", bad: "✗", quiet: "–" };

/** A state as a shape, a word and a color, so that none of them is needed alone. */
export function Mark({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={styles["status"]} data-tone={tone}>
      <span aria-hidden="true" className={styles["shape"]}>
        {SHAPES[tone]}
      </span>
      <span>{children}</span>
    </span>
  );
}
