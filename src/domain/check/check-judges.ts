/** External checks as judges of runs: their results wait in a table for a server that asks the service. */
import {
  type CheckStage,
  COST_STAGES,
  failureLevel,
  isAnswered,
  isOpen,
  totalLimitOf,
} from "../../model/check/external-check.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import type { JudgePoint } from "../../model/policy/judge.ts";
import type { EnforcementLevel } from "../../model/policy/policy-set.ts";
import type { Finding } from "../../model/policy/verdict.ts";
import {
  cancelOpenResults,
  type DecidingResult,
  insertResults,
  listDecidingResults,
} from "../../persistence/check/check-result-store.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { JudgeSource } from "../policy/judge-source.ts";
import { resultFingerprint } from "./result-fingerprint.ts";

const STAGE_AT = {
  PRE_PLAN: "PRE_PLAN",
  PLAN: "POST_PLAN",
  PRE_APPLY: "PRE_APPLY",
} as const satisfies Record<JudgePoint, CheckStage>;

/** The stages whose results count at a point. What was found before the plan is decided at the plan gate as well. */
const STAGES: Record<JudgePoint, readonly CheckStage[]> = {
  PRE_PLAN: ["PRE_PLAN"],
  PLAN: ["PRE_PLAN", "POST_PLAN"],
  PRE_APPLY: ["PRE_PLAN", "POST_PLAN", "PRE_APPLY"],
};

export const checkJudges: JudgeSource = {
  type: "CHECK",

  async order(tx, deps, { run }, { point, planVersion, judges }) {
    const stage = STAGE_AT[point];
    const found = await findChecks(
      tx,
      judges.map(({ id }) => id),
    );
    const checks = found.filter((check) => check !== null);
    if (point !== "PRE_APPLY") {
      await insertFor(
        tx,
        deps,
        { runId: run.id, stage, planVersion },
        checks.filter(({ stages }) => stages.includes(stage)),
      );
      return;
    }
    // A check that is new since the plan was judged is asked now, also if it is one of an earlier stage.
    const earlier = await listDecidingResults(tx, run, STAGES.PLAN);
    const asked = new Set(earlier.map(({ checkId }) => checkId));
    const due = checks.filter(({ id, stages }) => stages.includes(stage) || !asked.has(id));
    await insertFor(tx, deps, { runId: run.id, stage, planVersion }, due);
  },

  async read(tx, run, point) {
    const results = await listDecidingResults(tx, run, STAGES[point]);
    const open = results.filter(isOpen);
    const awaited = open.map((result) => ({ name: result.checkName, until: totalLimitOf(result) }));
    const finished = results.filter((result) => !isOpen(result));
    const judgeIds = finished.map(({ checkId }) => checkId);
    const beforeApplyIds = finished.filter(({ stage }) => stage === "PRE_APPLY").map(({ checkId }) => checkId);
    const findings = results.flatMap((result) => findingOf(result, point));
    // People decide about the others at the plan gate, where they are read again.
    const counted = point === "PRE_PLAN" ? findings.filter(({ level }) => level === "MANDATORY") : findings;
    return { awaited, judgeIds, beforeApplyIds, findings: counted, events: [] };
  },

  /** Events of results are recorded with their changes. */
  async noteEvents() {
    return Promise.resolve();
  },

  async cancel(tx, run, at) {
    await cancelOpenResults(tx, run.id, at);
  },
};

/** Inserts the results of checks that are asked about a stage of a run. */
export async function insertFor(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "clock">,
  at: { runId: string; stage: CheckStage; planVersion: number },
  checks: readonly Parameters<typeof toNew>[0][],
): Promise<void> {
  if (checks.length === 0) return;
  const createdAt = deps.clock().toISOString();
  const results = checks.map((check) => {
    const estimatesCost = check.estimatesCost && COST_STAGES.includes(at.stage);
    return { ...toNew(check), ...at, estimatesCost, createdAt, id: deps.newId("externalCheckResult") };
  });
  await insertResults(tx, results);
}

function toNew(check: NonNullable<Awaited<ReturnType<typeof findChecks>>[number]>) {
  const { id: checkId, level, onError, progressSeconds, totalSeconds } = check;
  return { checkId, level, onError, progressSeconds, totalSeconds };
}

/** A failure counts as it was found: whether an override holds for it is decided with each verdict. */
function findingOf(result: DecidingResult, point: JudgePoint): Finding[] {
  const level = failureLevel(result);
  if (level === null) return [];
  const isFailed = isAnswered(result);
  const message = result.message ?? (isFailed ? "The check failed." : "The check gave no result.");
  return [
    {
      id: result.id,
      source: "CHECK",
      evaluationId: null,
      point: point !== "PRE_PLAN" && result.stage !== "PRE_APPLY" ? "PLAN" : point,
      judgeId: result.checkId,
      ownerId: result.checkId,
      owner: result.checkName,
      policy: result.checkName,
      rule: result.stage.toLowerCase(),
      level: atStage(level, result),
      stopsAutoApply: true,
      status: isFailed ? "FAILED" : "ERROR",
      wasWaived: false,
      message,
      addresses: [],
      approvers: null,
      fingerprint: resultFingerprint(result),
    },
  ];
}

/** A task has no plan gate at which people could override what was found before it. */
function atStage(
  level: EnforcementLevel,
  { stage, runKind }: { stage: CheckStage; runKind: RunKind },
): EnforcementLevel {
  return stage === "PRE_PLAN" && runKind === "TASK" && level === "SOFT_MANDATORY" ? "MANDATORY" : level;
}
