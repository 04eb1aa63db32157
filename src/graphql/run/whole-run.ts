import type { Run, RunSummary } from "../../model/run/run.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { createHasMarked } from "../kit/marked-field.ts";

/** The key of the mark among the `extensions` of a field. */
const READS_WHOLE_RUN = { readsWholeRun: true } as const;

/**
 * A field of a run that shows more than its summary has. Where an operation has such a field, lists read whole runs; the
 * others are given summaries, and see nothing else by their types.
 */
export function wholeRunField<Shown>(show: (run: Run, context: GraphqlContext) => Shown, extensions: object = {}) {
  return {
    extensions: { ...extensions, ...READS_WHOLE_RUN },
    resolve: (run: RunSummary, _args: unknown, context: GraphqlContext): Shown => show(wholeOf(run), context),
  };
}

function wholeOf(run: RunSummary): Run {
  if (isWhole(run)) return run;
  throw new Error("Only the summary of a run was read where the whole run is needed.");
}

function isWhole(run: RunSummary): run is Run {
  return "version" in run;
}

/** Whether the operation, or any fragment beside it, has a field that reads whole runs. */
export const readsWholeRuns = createHasMarked("readsWholeRun");
