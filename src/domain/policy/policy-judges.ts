/** Policies as judges of runs: their evaluations wait in a table for a server that judges them. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import type { EvaluationPoint } from "../../model/policy/policy-evaluation.ts";
import type { JudgePoint } from "../../model/policy/judge.ts";
import type { Finding } from "../../model/policy/verdict.ts";
import {
  cancelEvaluations,
  type DecidingEvaluation,
  insertEvaluations,
  listDecidingEvaluations,
  markAnnounced,
} from "../../persistence/policy/evaluation-store.ts";
import { type DecidingResult, listDecidingResults } from "../../persistence/policy/result-store.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { JudgeSource } from "./judge-source.ts";

/** Before an apply the results about the plan count as well: an exception may have ended. */
const POINTS: Record<JudgePoint, readonly EvaluationPoint[]> = {
  PRE_PLAN: [],
  PLAN: ["PLAN"],
  PRE_APPLY: ["PLAN", "PRE_APPLY"],
};

export const policyJudges: JudgeSource = {
  type: "POLICY",

  async order(tx, deps, { run }, { point, planVersion, judges }) {
    if (point === "PRE_PLAN") return;
    const createdAt = deps.clock().toISOString();
    const earlier = point === "PLAN" ? [] : await listDecidingEvaluations(tx, { id: run.id, planVersion }, ["PLAN"]);
    const judged = new Set(earlier.map(({ versionId }) => versionId));
    const due = judges.filter((judge) => judge.points.includes(point) || !judged.has(judge.id));
    const evaluations = due.map(({ id, isShadow }) => {
      const evaluationId = deps.newId("policyEvaluation");
      return { id: evaluationId, runId: run.id, point, planVersion, versionId: id, isShadow, createdAt };
    });
    await insertEvaluations(tx, evaluations);
  },

  async read(tx, run, point) {
    const points = POINTS[point];
    if (points.length === 0) return { awaited: [], judgeIds: [], beforeApplyIds: [], findings: [], events: [] };
    const evaluations = await listDecidingEvaluations(tx, run, points);
    const open = evaluations.filter(({ finishedAt }) => finishedAt === null);
    const awaited = open.map(({ setName, createdAt }) => ({ name: setName, until: endOf(createdAt) }));
    const events = unannounced(evaluations).map(({ id: evaluationId }) => {
      return { type: "POLICY_EVALUATED", evaluationId } as const;
    });
    const finished = evaluations.filter((one) => !open.includes(one));
    const findings = finished.length > 0 ? await readFindings(tx, run, points, finished) : [];
    const judgeIds = finished.map(({ versionId }) => versionId);
    const ofPoint = finished.filter((one) => point === "PRE_APPLY" && one.point === point);
    const beforeApplyIds = ofPoint.map(({ versionId }) => versionId);
    return { awaited, judgeIds, beforeApplyIds, findings, events };
  },

  async noteEvents(tx, events) {
    const ids = events.flatMap((event) => (event.type === "POLICY_EVALUATED" ? [event.evaluationId] : []));
    await markAnnounced(tx, ids);
  },

  async cancel(tx, run, at) {
    await cancelEvaluations(tx, run.id, at);
  },
};

/**
 * Reads what evaluations found. Beyond a bound it is not read: then each of them counts as one that could not be judged, since
 * what is left unread may deny the run.
 */
async function readFindings(
  reader: Reader,
  run: Pick<Run, "id" | "planVersion">,
  points: readonly EvaluationPoint[],
  finished: readonly DecidingEvaluation[],
): Promise<Finding[]> {
  const most = LIMITS.findingsRead;
  const results = await listDecidingResults(reader, run, points, most + 1);
  const findings = results.slice(0, most).map(toFinding);
  return results.length > most ? [...findings, ...finished.map(unreadOf)] : findings;
}

const UNREAD = `policies found more than ${LIMITS.findingsRead} results about the plan, and no more are read. Change the plan, or a policy that finds so many.`;

/** The finding in place of the results of an evaluation that may not have been read. No exception and no override covers it. */
function unreadOf({ id, point, versionId, setId, setName }: DecidingEvaluation): Finding {
  return {
    id,
    source: "POLICY",
    point,
    evaluationId: id,
    judgeId: versionId,
    ownerId: setId,
    owner: setName,
    policy: setName,
    rule: setName,
    level: "MANDATORY",
    stopsAutoApply: true,
    status: "ERROR",
    wasWaived: false,
    message: UNREAD,
    addresses: [],
    approvers: null,
    fingerprint: id,
  };
}

/** Returns when an evaluation ends at the latest. */
export function endOf(createdAt: string): string {
  return instantAfter(createdAt, JUDGEMENT_LIMITS.waitMs);
}

function unannounced(evaluations: readonly DecidingEvaluation[]): DecidingEvaluation[] {
  return evaluations.filter(({ finishedAt, isAnnounced }) => finishedAt !== null && !isAnnounced);
}

/** A result counts as it was found: whether an exception covers it is decided with each verdict. */
export function toFinding(result: DecidingResult): Finding {
  return {
    id: result.id,
    source: "POLICY",
    point: result.point,
    evaluationId: result.evaluationId,
    judgeId: result.versionId,
    ownerId: result.setId,
    owner: result.setName,
    policy: result.policy,
    rule: result.rule,
    level: result.level,
    stopsAutoApply: result.stopsAutoApply,
    status: result.status === "ERROR" ? "ERROR" : "FAILED",
    wasWaived: result.status === "WAIVED",
    message: result.message,
    addresses: result.addresses,
    approvers: result.approvers,
    fingerprint: result.fingerprint,
  };
}
