import type { Hub } from "../bus/hub.ts";
import { createJudgements } from "../domain/judgement/judgements.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { JUDGEMENT_LIMITS } from "../model/policy/judgement-limits.ts";
import { startLoop } from "./loop.ts";

/** Starts the judgements of a server. Disposing interrupts those in progress; another server judges them. */
export function startPolicyWorker(deps: Deps, hub: Hub): AsyncDisposable {
  const judgements = createJudgements(deps);
  const stop = new AbortController();
  const watch = hub.watch("judgements");
  const report = (error: unknown): void => {
    if (!stop.signal.aborted) deps.reportError(error, "judging runs");
  };
  const renewal = startLoop({ everyMs: JUDGEMENT_LIMITS.renewalMs, work: () => judgements.renew(), onError: report });
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const freed = judgements.freed();
      const begun = await judgements.begin().catch(none);
      // A run may have been cancelled, or what it waits for may have finished elsewhere.
      await Promise.all([judgements.renew(), judgements.conclude()]).catch(report);
      if (stop.signal.aborted || begun > 0) continue;
      await Promise.race([watch.changed(JUDGEMENT_LIMITS.pollMs), freed]);
    }
  }

  function none(error: unknown): number {
    report(error);
    return 0;
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      await renewal[Symbol.asyncDispose]();
      await running;
      await judgements[Symbol.asyncDispose]();
    },
  };
}
