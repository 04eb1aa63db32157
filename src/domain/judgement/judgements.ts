/** The judgements of a server: it takes evaluations under leases, judges them, and concludes the runs that wait for them. */
import { LRUCache } from "lru-cache";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import {
  extendLeases,
  leaseEvaluations,
  type LeasedEvaluation,
  listRunsToConclude,
  releaseEvaluations,
} from "../../persistence/policy/evaluation-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type PlanDocument, readPlanDocument } from "../policy/plan-document.ts";
import { concludeJudgement } from "./conclude.ts";
import { judgeEvaluation } from "./judge-evaluation.ts";

export interface Judgements extends AsyncDisposable {
  /** Begins evaluations that no server has, as many as there is room for. Returns their number. */
  begin(): Promise<number>;
  /** Resolves when an evaluation ends, so that there is room for another one. */
  freed(): Promise<void>;
  /** Resolves when no evaluation is judged. */
  idle(): Promise<void>;
  /** Extends the leases, and ends the judgements that nothing waits for any more. */
  renew(): Promise<void>;
  /** Concludes the runs whose judgement is complete. */
  conclude(): Promise<void>;
}

/** Plans whose documents are kept while their evaluations are judged. */
const DOCUMENTS = 4;

export function createJudgements(deps: Deps): Judgements {
  const by = Buffer.from(deps.randomBytes(12)).toString("hex");
  const live = new Map<string, { stop: AbortController; work: Promise<void> }>();
  const documents = new LRUCache<string, Promise<PlanDocument | null>>({ max: DOCUMENTS });
  const ended = new AbortController();
  let room = Promise.withResolvers<void>();

  const untilAt = (): string => new Date(deps.clock().getTime() + JUDGEMENT_LIMITS.leaseMs).toISOString();

  function readDocument(planId: string): Promise<PlanDocument | null> {
    const reading = documents.get(planId) ?? readPlanDocument(deps, planId);
    documents.set(planId, reading);
    // A read that failed is tried again.
    reading.catch(() => documents.delete(planId));
    return reading;
  }

  async function judge(leased: LeasedEvaluation, signal: AbortSignal): Promise<void> {
    try {
      const isOurs = await judgeEvaluation(deps, leased, { by, readDocument, signal });
      if (isOurs && !leased.isShadow) await concludeJudgement(deps, leased.runId);
    } catch (error) {
      // The lease ends, and the evaluation is tried again.
      if (!signal.aborted) deps.reportError(error, `judging ${leased.id}`);
    }
  }

  function start(leased: LeasedEvaluation): void {
    const stop = new AbortController();
    const work = judge(leased, AbortSignal.any([stop.signal, ended.signal])).finally(() => {
      live.delete(leased.id);
      room.resolve();
      room = Promise.withResolvers();
    });
    live.set(leased.id, { stop, work });
  }

  return {
    async begin() {
      const free = JUDGEMENT_LIMITS.atOnce - live.size;
      if (free <= 0 || ended.signal.aborted) return 0;
      const lease = { by, at: deps.clock().toISOString(), until: untilAt() };
      const taken = await deps.database.statement((statement) => leaseEvaluations(statement, lease, free));
      for (const leased of taken) start(leased);
      return taken.length;
    },
    freed: () => room.promise,
    async idle() {
      await Promise.all([...live.values()].map(({ work }) => work));
    },
    async renew() {
      const ids = [...live.keys()];
      if (ids.length === 0) return;
      const until = untilAt();
      const kept = await deps.database.statement((statement) => extendLeases(statement, { by, until }, ids));
      for (const id of ids) if (!kept.includes(id)) live.get(id)?.stop.abort();
    },
    async conclude() {
      for (const runId of await listRunsToConclude(deps.database, JUDGEMENT_LIMITS.concludedAtOnce)) {
        await concludeJudgement(deps, runId).catch((error: unknown) =>
          deps.reportError(error, `concluding the judgement of ${runId}`),
        );
      }
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await Promise.all([...live.values()].map(({ work }) => work));
      await deps.database.statement((statement) => releaseEvaluations(statement, by));
    },
  };
}
