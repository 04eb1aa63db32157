/** Decides which policies and external checks judge a run, and when. */
import type { Plan } from "../plan/plan.ts";
import type { JudgedPoints } from "../lifecycle/run-machine.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";
import { JUDGED_KINDS } from "./policy-source.ts";

/** The points at which a run waits for a judgement. PRE_PLAN holds QUEUED back, PRE_APPLY holds CONFIRMED back. */
export const JUDGE_POINTS = ["PRE_PLAN", "PLAN", "PRE_APPLY"] as const;
export type JudgePoint = (typeof JUDGE_POINTS)[number];

/** The active or shadow version of a policy set, or an external check, whose selector selects a workspace. */
export interface Judge {
  type: "POLICY" | "CHECK";
  /** The id of the version, or of the check. */
  id: string;
  /** The name of the policy set, or of the check. */
  name: string;
  /** POST_APPLY: it is asked after an apply. VERIFY: its answer decides whether the run ends well. */
  points: readonly (JudgePoint | "RUN_CREATE" | "POST_APPLY" | "VERIFY")[];
  /** The kinds of runs that it judges; `null`: all that can be judged. */
  kinds: readonly RunKind[] | null;
  /** It judges plans without changes as well. */
  judgesUnchanged: boolean;
  /** It is recorded and holds up nothing. */
  isShadow: boolean;
}

/** A judgement that a run waits for before its plan, or before its apply. */
export interface AwaitedCheck {
  point: "PRE_PLAN" | "PRE_APPLY";
  since: string;
  /** When it ends at the latest; `null` if that is not known. */
  until: string | null;
  /** The names of the policy sets and checks. */
  names: readonly string[];
  /** The reasons for which requests of some of these checks wait. Absent: none is known. */
  hints?: readonly { name: string; text: string }[];
}

/** The last judgement that let a run pass. Others, and other exceptions, need another one. */
export interface PassedJudgement {
  planVersion: number;
  /** The ids of the judges. */
  by: readonly string[];
  /** Those of them that were asked right before the apply: what they found about the plan does not answer that. */
  beforeApply: readonly string[];
  /** The exceptions without which it would not have passed. */
  exceptionIds: readonly string[];
}

const NEEDS_PLAN: readonly RunKind[] = JUDGED_KINDS;
const APPLIES: readonly RunKind[] = ["DEPLOY", "DESTROY", "APPLY"];

/** The kinds of runs that have a point. A TASK has no plan: external checks judge it, and policies do not. */
const KINDS_AT: Record<Judge["type"], Record<JudgePoint | "RUN_CREATE", readonly RunKind[]>> = {
  POLICY: { RUN_CREATE: [...NEEDS_PLAN, "TASK"], PRE_PLAN: [], PLAN: NEEDS_PLAN, PRE_APPLY: APPLIES },
  CHECK: {
    RUN_CREATE: [],
    PRE_PLAN: ["DEPLOY", "DESTROY", "PLAN", "TASK"],
    PLAN: NEEDS_PLAN,
    PRE_APPLY: [...APPLIES, "TASK"],
  },
};

/** Returns the judges of a run at a point, shadows included. `plan`: the plan that is judged, if there is one. */
export function judgesAt(
  judges: readonly Judge[],
  point: JudgePoint | "RUN_CREATE",
  { kind, plan }: { kind: RunKind; plan: Pick<Plan, "hasChanges"> | null },
): Judge[] {
  const unchanged = plan !== null && !plan.hasChanges;
  return judges.filter(
    (judge) =>
      judge.points.includes(point) &&
      KINDS_AT[judge.type][point].includes(kind) &&
      (judge.kinds === null || judge.kinds.includes(kind)) &&
      (!unchanged || judge.judgesUnchanged),
  );
}

/** Returns the judges that decide at a point. */
function decidingAt(...args: Parameters<typeof judgesAt>): Judge[] {
  return judgesAt(...args).filter(({ isShadow }) => !isShadow);
}

/** Returns the points at which a run is judged, for the run machine. */
export function judgedPoints(judges: readonly Judge[], run: Parameters<typeof judgesAt>[2]): JudgedPoints {
  if (judges.length === 0) return NOWHERE;
  return {
    prePlan: decidingAt(judges, "PRE_PLAN", run).length > 0,
    plan: decidingAt(judges, "PLAN", run).length > 0,
    preApply: decidingAt(judges, "PRE_APPLY", run).length > 0,
  };
}

const NOWHERE: JudgedPoints = { prePlan: false, plan: false, preApply: false };

/**
 * Returns the judges without whose judgement a run may not leave a point. Before an apply they are also those of the
 * plan: another version may have been activated since.
 */
export function requiredBefore(judges: readonly Judge[], point: AwaitedCheck["point"], kind: RunKind): Judge[] {
  const run = { kind, plan: null };
  const due = decidingAt(judges, point, run);
  if (point === "PRE_PLAN") return due;
  return [...new Set([...decidingAt(judges, "PLAN", run), ...due])];
}

/** Whether a judgement covers all that is required of this plan at a point. */
export function covers(
  passed: PassedJudgement | null,
  required: readonly Judge[],
  { planVersion, point }: { planVersion: number; point: AwaitedCheck["point"] },
): boolean {
  if (required.length === 0) return true;
  if (passed === null || passed.planVersion !== planVersion) return false;
  return required.every(({ id, points }) => {
    const isAskedNow = point === "PRE_APPLY" && points.includes("PRE_APPLY");
    return (isAskedNow ? passed.beforeApply : passed.by).includes(id);
  });
}
