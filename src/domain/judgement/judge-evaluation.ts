/** Judges one evaluation: reads the plan and the policies, asks the evaluator, and stores what was found. */
import type { Judgement } from "../../model/policy/evaluator.ts";
import { JUDGEMENT_LIMITS, limitsAt } from "../../model/policy/judgement-limits.ts";
import { type EvaluationPoint, evaluationStatus } from "../../model/policy/policy-evaluation.ts";
import { plannedBy } from "../../model/run/run.ts";
import { findPlanCosts } from "../../persistence/plan/document-store.ts";
import { findCostEnd } from "../../persistence/plan/plan-cost-store.ts";
import { findPlanId } from "../../persistence/plan/plan-store.ts";
import { findJudgedSet, type JudgedSetRow } from "../../persistence/policy/judged-set-store.ts";
import {
  finishEvaluation,
  type LeasedEvaluation,
  listDecidingEvaluations,
} from "../../persistence/policy/evaluation-store.ts";
import { insertResults } from "../../persistence/policy/result-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { errorResult, type JudgedSet, type NewResult, resultsOf } from "../policy/evaluation-results.ts";
import { endOf } from "../policy/policy-judges.ts";
import { readPolicyContext } from "../policy/policy-context.ts";
import { documentKey, type PlanDocument } from "../policy/plan-document.ts";
import { readPolicySources } from "../policy/read-policy-source.ts";

/** Reads the document of a plan; evaluations of one plan share the read. */
export type ReadDocument = (planId: string) => Promise<PlanDocument | null>;

/** The results of an evaluation, with counts. */
interface Judged {
  results: NewResult[];
  passed: number;
  dropped: number;
  cpuMs: number;
}

/**
 * Judges an evaluation that this server has, and stores the results. Returns whether it still had it: otherwise another server
 * has judged it, or the run did not wait any more. Throws if the judgement was interrupted.
 */
export async function judgeEvaluation(
  deps: Deps,
  leased: LeasedEvaluation,
  { by, readDocument, signal }: { by: string; readDocument: ReadDocument; signal: AbortSignal },
): Promise<boolean> {
  const set = await findJudgedSet(deps.database, leased.versionId);
  const points = await pointsOf(deps, leased);
  const policies = set.policies.filter(({ point }) => points.some((each) => each === point));
  const judged = await judgeOrGiveUp(deps, leased, { set: { ...set, policies }, points, readDocument, signal });
  const error = judged.results.find(({ status }) => status === "ERROR")?.message ?? null;
  const { passed, dropped, cpuMs } = judged;
  return deps.database.transaction(async (tx) => {
    const finishedAt = deps.clock().toISOString();
    const status = evaluationStatus(judged.results);
    const end = { status, passed, dropped, cpuMs, error, finishedAt };
    const isOurs = await finishEvaluation(tx, { id: leased.id, by }, end);
    if (isOurs) await insertResults(tx, leased.id, judged.results);
    return isOurs;
  });
}

/** Before an apply a version judges the plan as well that did not when it was made. */
async function pointsOf(
  { database }: Pick<Deps, "database">,
  { point, runId, planVersion, versionId }: LeasedEvaluation,
): Promise<EvaluationPoint[]> {
  if (point === "PLAN") return ["PLAN"];
  const earlier = await listDecidingEvaluations(database, { id: runId, planVersion }, ["PLAN"]);
  return earlier.some((one) => one.versionId === versionId) ? ["PRE_APPLY"] : ["PLAN", "PRE_APPLY"];
}

/** The time in which external checks estimated the cost of the plan does not count. */
async function isOverdue({ database, clock }: Deps, { createdAt, ...leased }: LeasedEvaluation): Promise<boolean> {
  const at = clock().toISOString();
  if (at < endOf(createdAt)) return false;
  const estimatedAt = await findCostEnd(database, leased);
  return estimatedAt === null || at >= endOf(estimatedAt);
}

interface Order {
  set: JudgedSetRow & JudgedSet;
  points: readonly EvaluationPoint[];
  readDocument: ReadDocument;
  signal: AbortSignal;
}

async function judgeOrGiveUp(deps: Deps, leased: LeasedEvaluation, order: Order): Promise<Judged> {
  const { set } = order;
  const none = { passed: 0, dropped: 0, cpuMs: 0 };
  const fail = (message: string, mode = set.onError): Judged => {
    return { ...none, results: [errorResult(deps.newId, set, message, mode)] };
  };
  if (leased.attempt > JUDGEMENT_LIMITS.attempts) {
    return fail(`The servers that judged it ended, ${JUDGEMENT_LIMITS.attempts} times.`);
  }
  if (await isOverdue(deps, leased)) {
    return fail(`It was not judged within ${JUDGEMENT_LIMITS.waitMs / 60_000} minutes.`);
  }
  const run = await findRun(deps.database, leased.runId);
  const workspace = run === null ? null : await findWorkspace(deps.database, run.workspaceId);
  if (run === null || workspace === null) return fail("The workspace was deleted.");
  const plan = await findPlanId(deps.database, plannedBy(run), leased.planVersion);
  const document = plan === null ? null : await order.readDocument(plan);
  if (plan === null || document === null)
    return fail("The runner sent no document of the plan, or it is no longer stored.");
  const { truncated } = document;
  if (set.needsWholePlan && truncated.length > 0) {
    return fail(`The set needs the whole plan, and the document lacks ${truncated.join(", ")}.`, "FAIL_CLOSED");
  }
  const [source] = await readPolicySources(deps, [leased.versionId]);
  if (source === undefined) throw new Error(`The version ${leased.versionId} has no source.`);
  // Documents are shared and kept; an external check may have estimated the cost since.
  const [cost = null] = await findPlanCosts(deps.database, [plan]);
  const key = documentKey(deps.cipher, plannedBy(run));
  const all: Judged = { ...none, results: [] };
  for (const point of order.points) {
    const at = { point, at: leased.createdAt, document: { truncated, cost } };
    const context = await readPolicyContext(deps.database, deps, { run, workspace }, at);
    const input = { point, dialect: set.dialect, document: document.bytes, documentKey: key, context };
    const { signal } = order;
    add(all, deps, set, await deps.evaluator.judge(source, input, limitsAt(leased.point), { signal }));
  }
  return all;
}

function add(all: Judged, { newId }: Pick<Deps, "newId">, set: JudgedSet, judgement: Judgement): void {
  all.results.push(...resultsOf(newId, set, judgement));
  all.passed += judgement.passed;
  all.dropped += judgement.dropped;
  all.cpuMs += judgement.cpuMs;
}
