/** Sends webhook deliveries: a bounded number at a time, and few to one target. */
import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { deliver, type DelivererOptions } from "../domain/webhook/deliver.ts";
import { sweepWebhooks } from "../domain/webhook/sweep-webhooks.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { AttemptResult } from "../model/webhook/webhook.ts";
import { startLoop } from "./loop.ts";

export interface WebhookWorkerOptions extends DelivererOptions {
  hub: Hub;
  onAttempt?: (result: AttemptResult) => void;
}

type Taken = Awaited<ReturnType<DelivererOptions["jobs"]["take"]>>[number];

/** Starts sending deliveries. Disposing interrupts those in progress; the next server sends them again. */
export function startWebhookDeliveries(deps: Deps, options: WebhookWorkerOptions): AsyncDisposable {
  const { jobs, limits, hub } = options;
  const stop = new AbortController();
  const watch = hub.watch("webhooks");
  const active = new Set<Promise<void>>();
  const sweep = (): Promise<void> => sweepWebhooks(deps, jobs);
  const onError = (error: unknown): void => deps.reportError(error, "the deliveries of webhooks");
  const first = sweep().catch(onError);
  const sweeper = startLoop({ everyMs: LIMITS.webhookSweepMs, work: sweep, onError });
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const free = limits.atOnce - active.size;
      const taken = free > 0 ? await jobs.take(free, limits.atOnceEach).catch(none) : [];
      for (const one of taken) start(one);
      // A query finds few if many deliveries wait for one target; the next query finds the others.
      const more = taken.length > 0 && taken.length < free;
      if (!stop.signal.aborted && !more) await watch.changed(LIMITS.webhookPollMs);
    }
  }

  function none(error: unknown): Taken[] {
    if (!stop.signal.aborted) onError(error);
    return [];
  }

  function start(taken: Taken): void {
    const work = attempt(taken).finally(() => {
      active.delete(work);
      hub.signal("webhooks");
    });
    active.add(work);
  }

  async function attempt(taken: Taken): Promise<void> {
    try {
      const result = await deliver(deps, options, taken, stop.signal);
      if (result !== null) options.onAttempt?.(result);
    } catch (error) {
      if (!stop.signal.aborted) onError(error);
      // If this fails as well, the job goes to another worker when its time is over.
      await jobs.giveBack(taken).catch(() => undefined);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      await Promise.all([first, running, sweeper[Symbol.asyncDispose]()]);
      await Promise.all(active);
    },
  };
}
