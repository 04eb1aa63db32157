import { Mark } from "./mark.tsx";
import { type Marked, toneOf, wordsOf } from "./words.ts";

/** The status of a run. */
export function Status({ run }: { run: Marked }) {
  return <Mark tone={toneOf(run)}>{wordsOf(run.outcome != null ? run.outcome : run.status)}</Mark>;
}
