/** Phases of runs: read with a run that is found by its id, so that both are of one instant, and for all runs of a list. */
import type { Phase } from "../../model/run/phase.ts";
import type { RunSummary, RunWithPhases } from "../../model/run/run.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { loaderById } from "../kit/loader.ts";
import { createHasMarked, type OperationInfo } from "../kit/marked-field.ts";
import { runLoader, runSummaryLoader } from "../kit/refs.ts";
import { relation } from "../kit/relation.ts";
import { phasesLoader } from "../plan/phase.ts";
import { readsWholeRuns } from "./whole-run.ts";

const runWithPhasesLoader = loaderById(["run"], (domain, caller, ids) => domain.runsWithPhases(caller, ids));

const OF_RUN = relation(
  phasesLoader,
  (run: RunSummary) => run.id,
  (phases) => phases,
  broughtPhases,
);

/** The field of a run that shows its phases. */
export const phasesField = { ...OF_RUN, extensions: { ...OF_RUN.extensions, showsPhases: true } };

const showsPhases = createHasMarked("showsPhases");

/** Finds a run by its id; reads as much of it as the operation can show. */
export function findRun({ loaders }: GraphqlContext, id: string, info: OperationInfo): Promise<RunSummary | null> {
  if (readsWholeRuns(info)) return loaders.load(runLoader, id);
  return loaders.load(showsPhases(info) ? runWithPhasesLoader : runSummaryLoader, id);
}

/** The phases that were read with a run. */
function broughtPhases(run: RunSummary): Phase[] | undefined {
  return hasPhases(run) ? run.phases : undefined;
}

function hasPhases(run: RunSummary): run is RunWithPhases {
  return "phases" in run;
}
