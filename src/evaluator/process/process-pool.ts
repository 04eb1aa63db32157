/** A few processes that evaluate policies, started on demand. */
import { MIB } from "../kit/bounds.ts";
import type { EvaluatorProcess } from "./evaluator-process.ts";
import { createTurns } from "./turns.ts";

export interface PoolOptions {
  size: number;
  start: () => EvaluatorProcess;
}

/** Gives a process to a call. `giveWay` aborts if the call is in the background and another one needs the process. */
type Work<Result> = (child: EvaluatorProcess, giveWay: AbortSignal) => Promise<Result>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** It gives way to calls that are not. */
  isBackground?: boolean | undefined;
}

export interface ProcessPool {
  /** Gives a process to `work` when one is free, in the order of calls: those in the background last. */
  run<Result>(work: Work<Result>, options?: CallOptions): Promise<Result>;
  close(): Promise<void>;
}

/** A process above this ends after its job, so that memory of a large plan is returned. */
const REUSABLE_BYTES = 256 * MIB;
const REUSABLE_CPU_MS = 60_000;
/** One idle process stays, since a start takes some 200 ms; others end after this time. */
const IDLE_MS = 60_000;

interface IdleProcess {
  child: EvaluatorProcess;
  timer: NodeJS.Timeout | null;
}

/** Creates a pool without processes. */
export function createProcessPool({ size, start }: PoolOptions): ProcessPool {
  const turns = createTurns(size);
  const idle: IdleProcess[] = [];
  const alive = new Set<EvaluatorProcess>();
  const closing = new AbortController();

  function take(): EvaluatorProcess {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (kept.timer !== null) clearTimeout(kept.timer);
      if (!kept.child.hasEnded) return kept.child;
    }
    const child = start();
    alive.add(child);
    void child.ended.then(() => alive.delete(child));
    return child;
  }

  function giveBack(child: EvaluatorProcess): void {
    const usage = child.usage();
    const isReusable = usage === null || (usage.memoryBytes <= REUSABLE_BYTES && usage.cpuMs <= REUSABLE_CPU_MS);
    if (child.hasEnded || child.isKilled || !isReusable || closing.signal.aborted) return child.kill();
    const kept: IdleProcess = { child, timer: null };
    if (idle.length > 0) {
      kept.timer = setTimeout(() => {
        idle.splice(idle.indexOf(kept), 1);
        child.kill();
      }, IDLE_MS).unref();
    }
    idle.push(kept);
  }

  async function withProcess<Result>(
    work: Work<Result>,
    giveWay: AbortSignal,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    const child = take();
    try {
      return await work(child, giveWay);
    } finally {
      giveBack(child);
    }
  }

  return {
    run: (work, { signal, isBackground = false } = {}) =>
      endedBy(
        turns.take(isBackground, (giveWay) => withProcess(work, giveWay, signal)),
        signal,
      ),
    async close() {
      closing.abort(new Error("The evaluator is closed"));
      for (const { timer } of idle.splice(0)) if (timer !== null) clearTimeout(timer);
      for (const child of alive) child.kill();
      await Promise.all([...alive].map(({ ended }) => ended));
    },
  };
}

/** Rejects when the signal aborts, though the call still waits for its turn. */
async function endedBy<Result>(call: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return call;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([call, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    call.catch(() => undefined);
  }
}
