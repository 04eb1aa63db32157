/** Decides which waiting runs of a workspace have blockers that are not recorded yet. */
import {
  type AdmissionConditions,
  dispatchClass,
  obstacleKindsOf,
  obstaclesOf,
  SHORTAGES,
} from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import type { BlockerReport } from "../../persistence/dispatch/blocker-report-store.ts";
import type { Line, WaitingRun } from "../../persistence/run/run-queue-store.ts";
import type { WorkspaceContext } from "./machine-input.ts";

/** How many queued runs are read: one more than are reported, because the first one is usually admitted. */
export const QUEUE_READ = LIMITS.blockersReported + 1;

/** The state of a workspace after `settleWorkspace` has admitted runs. */
export interface Settled {
  context: WorkspaceContext;
  conditions: AdmissionConditions;
  /** The waiting runs before any was admitted. */
  line: Line;
  admitted: ReadonlyMap<string, Run>;
  holder: Run | null;
  /** Ids of its runs in the dispatch table. */
  dispatched: ReadonlySet<string>;
  /** Ids of runs whose status changed in this transaction; the event of the status covers their blockers. */
  fresh: ReadonlySet<string>;
}

/** Returns the first runs that wait for a runner, in the order of their priority. */
export function firstClaimable({ line, admitted }: Pick<Settled, "line" | "admitted">): WaitingRun[] {
  const moved = [...admitted.values()]
    .filter(({ status }) => STATUS_TRAITS[status].claimable)
    .map((run) => ({ run, blockers: "" }));
  return [...line.waiting, ...line.plans, ...moved]
    .toSorted(({ run: a }, { run: b }) => b.priority - a.priority || a.number - b.number)
    .slice(0, LIMITS.blockersReported);
}

/** Returns the first of the queue after runs were admitted; `null` if more of it must be read. */
export function firstQueued({ line, admitted }: Pick<Settled, "line" | "admitted">): WaitingRun[] | null {
  const queued = line.queued.filter(({ run }) => !admitted.has(run.id));
  const isCut = line.queued.length === QUEUE_READ && queued.length < LIMITS.blockersReported;
  return isCut ? null : queued.slice(0, LIMITS.blockersReported);
}

/**
 * Returns the runs whose blockers differ from the recorded ones. Shortages of runs in the dispatch table are left to
 * `reportShortages`.
 */
export function changedBlockers(
  runs: readonly WaitingRun[],
  settled: Pick<Settled, "conditions" | "holder" | "dispatched">,
): BlockerReport[] {
  const waiting = sortByClaimOrder(runs);
  return waiting.flatMap(({ run, blockers: reported }, index) => {
    const capacity = settled.dispatched.has(run.id);
    if (capacity && isShortage(reported)) return [];
    const before = capacity ? null : findPredecessor(run, waiting.slice(0, index), settled);
    const now = obstaclesOf(run, settled.conditions, before).map(({ kind, runId }) =>
      [kind, runId ?? []].flat().join(" "),
    );
    const key = now.join(",");
    return key === reported ? [] : [{ run, reported: key }];
  });
}

/** Sorts approved runs before queued ones, and applies before plans. */
function sortByClaimOrder(waiting: readonly WaitingRun[]): WaitingRun[] {
  const rank = ({ run }: WaitingRun) => (STATUS_TRAITS[run.status].queued ? 9 : dispatchClass(run));
  return waiting.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the id of the run that holds the workspace, or gets it before this one; `null` if none. No plan is blocked by it. */
function findPredecessor(
  run: Run,
  ahead: readonly WaitingRun[],
  { holder, conditions }: Pick<Settled, "conditions" | "holder">,
): string | null {
  if (run.holdsWorkspace) return null;
  if (holder !== null) return holder.id;
  const first = ahead.find(({ run: other }) => {
    const obstacles = obstacleKindsOf(other, conditions);
    if (other.kind === "PLAN") return false;
    if (!STATUS_TRAITS[other.status].queued) return obstacles.length === 0;
    return !obstacles.includes("SCHEDULED_AT") && !obstacles.includes("UPSTREAM_RUN");
  });
  return first?.run.id ?? null;
}

function isShortage(reported: string): boolean {
  return reported === "" || SHORTAGES.some((shortage) => shortage === reported);
}
