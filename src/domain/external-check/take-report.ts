/** Takes the reports of external checks about their results. */
import { type ExternalCheckResult, isAnswered, isAtStage, isOpen, limitOf } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import { findResults, lockResult } from "../../persistence/check/check-result-store.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { findRun, getRunInput, lockRun } from "../../persistence/run/run-store.ts";
import { checkToken, readCheckToken } from "../check/check-token.ts";
import { planPart } from "../check/plan-part.ts";
import { type CheckReport, parseReport, ReportRefused } from "../check/parse-callback.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { readPlanDocument } from "../policy/plan-document.ts";
import { changeResult, endResult } from "./change-result.ts";

/** A result and the round of it that a token opens. */
export interface OpenedResult {
  id: string;
  runId: string;
  round: number;
}

/** The access of a check by its token, as long as its result is open. */
export interface CheckAccess {
  /** Returns the result that a token opens; `null` if it is not the token of this result, or has ended. */
  authenticate(resultId: string, token: string): Promise<OpenedResult | null>;
  /**
   * Takes a report. A repetition of the last one changes nothing. Returns `false` if the token has ended. Throws
   * ReportRefused.
   */
  report(opened: OpenedResult, body: Buffer): Promise<boolean>;
  /** Reads the masked plan that the result is about (JSON); `null` if there is none, or the token has ended. */
  plan(opened: OpenedResult): Promise<AsyncIterable<Buffer> | null>;
  /** Reads the source of the run (tar.gz); `null` if it has none, or the token has ended. */
  source(opened: OpenedResult): Promise<AsyncIterable<Buffer> | null>;
}

/** Creates the access of checks to this server. */
export function createCheckAccess(deps: Deps): CheckAccess {
  return {
    async authenticate(resultId, token) {
      const read = readCheckToken(deps.cipher, token);
      if (read === null || read.id !== resultId) return null;
      const [result = null] = await findResults(deps.database, [resultId]);
      if (result === null || result.round !== read.round) return null;
      return (await isInForce(deps, result)) ? { id: resultId, runId: result.runId, round: result.round } : null;
    },
    async report(opened, body) {
      const report = masked(parseReport(body), checkToken(deps.cipher, opened));
      return deps.database.transaction((tx) => take(tx, deps, opened, report));
    },
    async plan({ id }) {
      const [result = null] = await findResults(deps.database, [id]);
      if (result === null || !isOpen(result) || result.stage === "PRE_PLAN") return null;
      const run = await findRun(deps.database, result.runId);
      const plan = run === null ? null : await findNewestPlan(deps.database, plannedBy(run));
      if (plan === null || plan.version !== result.planVersion) return null;
      const document = await readPlanDocument(deps, plan.id);
      return document === null ? null : planPart(document.bytes);
    },
    async source({ id, runId }) {
      const [result = null] = await findResults(deps.database, [id]);
      if (result === null || !isOpen(result)) return null;
      const { source } = await getRunInput(deps.database, runId);
      return source === null ? null : deps.blobs.read(source.blobId);
    },
  };
}

/** Whether the token of a result is in force; for a check that has ended it, only to repeat its last report. */
async function isInForce({ database }: Pick<Deps, "database">, result: ExternalCheckResult): Promise<boolean> {
  if (isAnswered(result)) return true;
  if (!isOpen(result)) return false;
  const [check = null] = await findChecks(database, [result.checkId]);
  const run = await findRun(database, result.runId);
  return check !== null && check.enabled && run !== null && isAtStage(run, result);
}

/** Masks the token in a report: no reader of the result may use it. */
function masked(report: CheckReport, token: string): CheckReport {
  const mask = (text: string): string => text.replaceAll(token, "***");
  const masks = (text: string | null): string | null => (text === null ? null : mask(text));
  return {
    ...report,
    message: masks(report.message),
    url: masks(report.url),
    outcomes:
      report.outcomes?.map((outcome) => ({
        ...outcome,
        description: mask(outcome.description),
        body: masks(outcome.body),
        url: masks(outcome.url),
      })) ?? null,
  };
}

const STATUS_OF = { running: "RUNNING", passed: "PASSED", failed: "FAILED" } as const;

async function take(tx: Transaction, deps: Deps, opened: OpenedResult, report: CheckReport): Promise<boolean> {
  const locked = await lock(tx, deps, opened, report);
  if (locked === null) return false;
  const { run, result } = locked;
  const status = STATUS_OF[report.status];
  if (isAnswered(result)) {
    if (result.status === status) return true;
    const message = `has ended as ${result.status.toLowerCase()} and cannot be ${report.status} any more.`;
    throw new ReportRefused("/data/attributes/status", message);
  }
  if (!isOpen(result) || !isAtStage(run, result)) return false;
  const at = deps.clock().toISOString();
  const changed: ExternalCheckResult = {
    ...result,
    status,
    message: report.message ?? result.message,
    url: report.url ?? result.url,
    progressedAt: at,
    finishedAt: status === "RUNNING" ? null : at,
    dueAt: status === "RUNNING" ? limitOf(result, at) : null,
  };
  const outcomes = report.outcomes ?? undefined;
  if (status === "RUNNING") {
    await changeResult(tx, deps, run, { result: changed, outcomes, isShown: isNews(result, at) });
  } else await endResult(tx, deps, run, changed, outcomes);
  return true;
}

/** Listeners are not notified of each report of one that makes many. */
function isNews({ status, progressedAt }: ExternalCheckResult, at: string): boolean {
  if (status === "PENDING" || progressedAt === null) return true;
  return Date.parse(at) - Date.parse(progressedAt) >= LIMITS.checkEventMs;
}

/** Locks the run and the result; a report of progress does not wait for the workspace. */
async function lock(
  tx: Transaction,
  deps: Deps,
  { id, runId, round }: OpenedResult,
  { status }: CheckReport,
): Promise<{ run: Run; result: ExternalCheckResult } | null> {
  const run = status === "running" ? await lockRun(tx, runId) : ((await lockForChange(tx, deps, runId))?.run ?? null);
  const result = run === null ? null : await lockResult(tx, id);
  return run === null || result === null || result.round !== round ? null : { run, result };
}
