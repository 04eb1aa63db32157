/** Reads the refs of repositories by the clock, and when hooks or callers ask for it, and decides about those that moved. */
import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { GitClosed } from "../domain/kit/git-fetcher.ts";
import { createDecisions } from "../domain/repository/decide.ts";
import { headRound } from "../domain/repository/heads.ts";
import { createLooks, type HostRounds } from "../domain/repository/looks.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the decisions of a server about refs that moved. Disposing waits for those in progress. */
export function startTriggerDecisions(deps: Deps, hub: Hub): AsyncDisposable {
  const errors = createErrors(deps, "deciding changes of refs");
  return startRounds(createDecisions(deps), hub, { errors, renewalMs: LIMITS.decisionRenewalMs });
}

/** Starts the reads of heads for the sync of workspaces. Disposing waits for those in progress. */
export function startHeadReads(deps: Deps, hub: Hub): AsyncDisposable {
  const errors = createErrors(deps, "reading heads");
  const stop = new AbortController();
  const watch = hub.watch("repositories");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const read = await headRound(deps).catch((error: unknown) => {
        errors.report(error);
        return 0;
      });
      if (!stop.signal.aborted && read === 0) await watch.changed(LIMITS.headSearchMs);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      errors.stop();
      stop.abort();
      watch[Symbol.dispose]();
      await running;
    },
  };
}

/** Starts the looks of a server. Disposing ends those in progress; the next server begins them again. */
export function startRepositoryLooks(deps: Deps, hub: Hub): AsyncDisposable {
  const errors = createErrors(deps, "reading repositories");
  return startRounds(createLooks(deps), hub, { errors, renewalMs: LIMITS.lookRenewalMs });
}

/** Reports errors until it is stopped: those of a server that ends are due to its end. */
interface Errors {
  report: (error: unknown) => void;
  stop: () => void;
}

function createErrors({ reportError }: Deps, doing: string): Errors {
  let isStopped = false;
  return {
    report(error) {
      if (!isStopped && !(error instanceof GitClosed)) reportError(error, doing);
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Begins what is due: after a hint, when room is free again, and each second, because what was just done may be due again. */
function startRounds(
  rounds: HostRounds,
  hub: Hub,
  { errors, renewalMs }: { errors: Errors; renewalMs: number },
): AsyncDisposable {
  const renewal = setInterval(() => void rounds.renew().catch(errors.report), renewalMs);
  const stop = new AbortController();
  const watch = hub.watch("repositories");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const freed = rounds.freed();
      const begun = await rounds.begin(errors.report).catch((error: unknown) => {
        errors.report(error);
        return 0;
      });
      if (stop.signal.aborted || begun > 0) continue;
      await Promise.race([watch.changed(LIMITS.lookSearchMs), freed]);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      errors.stop();
      watch[Symbol.dispose]();
      await running;
      clearInterval(renewal);
      await rounds[Symbol.asyncDispose]();
    },
  };
}
