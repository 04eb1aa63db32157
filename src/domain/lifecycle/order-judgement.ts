/** Orders the work of policies and external checks at the points of a run, and ends it when the run leaves them. */
import {
  type AwaitedCheck,
  covers,
  type Judge,
  type JudgePoint,
  judgesAt,
  requiredBefore,
} from "../../model/policy/judge.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { JudgedRun } from "../policy/judge-source.ts";
import { areExceptionsInForce } from "../policy/waivers.ts";
import { endOf } from "../policy/policy-judges.ts";
import { JUDGE_SOURCES } from "./judge-sources.ts";

/** Orders the judgement of a plan, by shadows as well. A workspace without judges costs no statement. */
export async function orderPlanJudgement(
  tx: Transaction,
  deps: Deps,
  { judges, ...judged }: JudgedRun & { judges: readonly Judge[] },
  plan: Plan,
): Promise<void> {
  const due = judgesAt(judges, "PLAN", { kind: judged.run.kind, plan });
  await order(tx, deps, { ...judged, plan }, { point: "PLAN", planVersion: plan.version, judges: due });
}

async function order(
  tx: Transaction,
  deps: Deps,
  judged: JudgedRun,
  { judges, ...at }: { point: JudgePoint; planVersion: number; judges: readonly Judge[] },
): Promise<void> {
  for (const source of JUDGE_SOURCES) {
    const own = judges.filter(({ type }) => type === source.type);
    if (own.length > 0) await source.order(tx, deps, judged, { ...at, judges: own });
  }
}

/**
 * Whether a run that would be admitted or offered to runners now must be judged first. Without judges it costs no
 * statement.
 */
export async function mustBeJudged(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  judges: readonly Judge[],
  run: Run,
): Promise<boolean> {
  const point = pointBefore(run);
  return (
    point !== null && !(await isCovered(tx, deps, run, { point, required: requiredBefore(judges, point, run.kind) }))
  );
}

/** Holds such a run back and orders its judgement; `null` if it need not be judged. A worker lets it proceed. */
export async function holdBack(
  tx: Transaction,
  deps: Deps,
  { workspace, judges }: { workspace: Workspace; judges: readonly Judge[] },
  run: Run,
): Promise<AwaitedCheck | null> {
  const point = pointBefore(run);
  if (point === null || !(await mustBeJudged(tx, deps, judges, run))) return null;
  const required = requiredBefore(judges, point, run.kind);
  const at = deps.clock().toISOString();
  const { planVersion } = run;
  await order(tx, deps, { run, workspace, plan: null }, { point, planVersion, judges: required });
  const until = required.every(({ type }) => type === "POLICY") ? endOf(at) : null;
  tx.announce("judgements");
  return { point, since: at, until, names: required.map(({ name }) => name) };
}

/** Returns the point at which a waiting run is judged; `null` if there is none. */
function pointBefore({ status }: Pick<Run, "status">): AwaitedCheck["point"] | null {
  const { queued, approved } = STATUS_TRAITS[status];
  if (queued) return "PRE_PLAN";
  return approved ? "PRE_APPLY" : null;
}

/** Whether nothing has changed since the run was judged: no other judge, and no exception that it needed has ended. */
async function isCovered(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  { judged, planVersion }: Run,
  { point, required }: { point: AwaitedCheck["point"]; required: readonly Judge[] },
): Promise<boolean> {
  if (!covers(judged, required, { planVersion, point })) return false;
  const exceptionIds = required.length === 0 ? [] : (judged?.exceptionIds ?? []);
  return areExceptionsInForce(tx, exceptionIds, deps.clock().toISOString());
}

/** Ends the work that a run does not wait for any more, because it has left the point. */
export async function endJudgement(tx: Transaction, deps: Pick<Deps, "clock">, before: Run, after: Run): Promise<void> {
  if (before.status === after.status || !isJudged(before)) return;
  const at = deps.clock().toISOString();
  for (const source of JUDGE_SOURCES) await source.cancel(tx, before, at);
  tx.announce("judgements");
}

/** Whether a judgement of a run may be under way. */
export function isJudged({ status, awaitedCheck }: Pick<Run, "status" | "awaitedCheck">): boolean {
  return STATUS_TRAITS[status].deadline === "JUDGING" || awaitedCheck !== null;
}
