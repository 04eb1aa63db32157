/** Work in a bounded number at a time, and few to one host, so that a host that hangs leaves room for the others. */

export interface HostQueue extends AsyncDisposable {
  /** Begins work as soon as there is room. It must not reject. */
  add(host: string, work: () => Promise<void>): void;
}

export function createHostQueue({ atOnce, atOnceHost }: { atOnce: number; atOnceHost: number }): HostQueue {
  const waiting: { host: string; work: () => Promise<void> }[] = [];
  /** Work that waits for its host alone. */
  const blocked = new Map<string, (() => Promise<void>)[]>();
  const running = new Map<string, number>();
  const active = new Set<Promise<void>>();

  function next(): void {
    while (active.size < atOnce) {
      const one = waiting.shift();
      if (one === undefined) return;
      const count = running.get(one.host) ?? 0;
      if (count < atOnceHost) begin(one.host, one.work, count);
      else block(one.host, one.work);
    }
  }

  function block(host: string, work: () => Promise<void>): void {
    const list = blocked.get(host);
    if (list === undefined) blocked.set(host, [work]);
    else list.push(work);
  }

  function begin(host: string, work: () => Promise<void>, count: number): void {
    running.set(host, count + 1);
    const done = work().finally(() => {
      active.delete(done);
      const left = (running.get(host) ?? 1) - 1;
      if (left === 0) running.delete(host);
      else running.set(host, left);
      unblock(host);
      next();
    });
    active.add(done);
  }

  function unblock(host: string): void {
    const list = blocked.get(host);
    const work = list?.shift();
    if (work === undefined) return;
    if (list?.length === 0) blocked.delete(host);
    // It has waited longer than what is in the queue.
    waiting.unshift({ host, work });
  }

  return {
    add(host, work) {
      waiting.push({ host, work });
      next();
    },
    async [Symbol.asyncDispose]() {
      waiting.length = 0;
      blocked.clear();
      await Promise.all(active);
    },
  };
}
