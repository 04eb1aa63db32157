/** The contract between the run machine and what judges runs: policies and external checks. */
import type { Plan } from "../../model/plan/plan.ts";
import type { Judge, JudgePoint } from "../../model/policy/judge.ts";
import type { Finding } from "../../model/policy/verdict.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";

/** A run whose row is locked, with its newest plan; for an APPLY, that of its PLAN run. */
export interface JudgedRun {
  run: Run;
  workspace: Workspace;
  plan: Plan | null;
}

/** Judges of one type at one point of a run. `planVersion`: 0 before the first plan. */
export interface JudgeOrder {
  point: JudgePoint;
  planVersion: number;
  judges: readonly Judge[];
}

/** The findings of judges at a point of a run so far. Shadows are left out. */
export interface PointReport {
  /** Those that have not finished: their names, and until when they finish at the latest. */
  awaited: readonly { name: string; until: string | null }[];
  /** The ids of the judges that have finished. */
  judgeIds: readonly string[];
  /** Those of them that have finished right before the apply; at other points none. */
  beforeApplyIds: readonly string[];
  /** Everything that did not pass. */
  findings: readonly Finding[];
  /** Events for the stream of the run that were not recorded yet. */
  events: readonly RunEventBody[];
}

/** A type of judges. Its own worker lets them work; a change of what they found announces the topic `judgements`. */
export interface JudgeSource {
  type: Judge["type"];
  /** Orders the work of judges, in the transaction of the change that needs it. Leaves what was ordered before. */
  order(tx: Transaction, deps: Deps, judged: JudgedRun, order: JudgeOrder): Promise<void>;
  /** Reads what they found about the newest plan. The row of the run must be locked. */
  read(tx: Reader, run: Pick<Run, "id" | "planVersion">, point: JudgePoint): Promise<PointReport>;
  /** Notes that these events of a `read` are recorded now. */
  noteEvents(tx: Transaction, events: readonly RunEventBody[]): Promise<void>;
  /** Ends the work that nothing waits for any more, because the run has left the point. Shadows continue. */
  cancel(tx: Transaction, run: Pick<Run, "id">, at: string): Promise<void>;
}
