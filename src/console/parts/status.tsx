import styles from "./status.module.css";
import { type Marked, type Tone, toneOf, wordsOf } from "./words.ts";

const SHAPES: Record<Tone, string> = { asks: "❚❚", busy: "▶", good: "✓", bad: "✗", quiet: "–" };

/** The status of a run: a shape, a word and a color, so that none of them is needed alone. */
export function Status({ run }: { run: Marked }) {
  const tone = toneOf(run);
  const word = run.outcome != null ? run.outcome : run.status;
  return (
    <span className={styles["status"]} data-tone={tone}>
      <span aria-hidden="true" className={styles["shape"]}>
        {SHAPES[tone]}
      </span>
      {wordsOf(word)}
    </span>
  );
}
