/** Users for the commands of probes. Each is for one workspace at a time, and none is that of a slot of jobs. */
export interface CommandSlots {
  /** Waits for a free one, in the order of the calls; `null` if the signal aborts before. */
  take(signal: AbortSignal): Promise<CommandSlot | null>;
}

export interface CommandSlot extends Disposable {
  /** User id of the commands; `null`: the runner's own user. */
  uid: number | null;
}

export function createCommandSlots(uids: readonly (number | null)[]): CommandSlots {
  const free = [...uids];
  /** Commands that wait, oldest first. One that is aborted leaves. */
  const waiting = new Set<(uid: number | null) => void>();

  /** A free user goes to the command that has waited longest: a new one must not come before it. */
  function give(uid: number | null): void {
    const [oldest] = waiting;
    if (oldest === undefined) free.push(uid);
    else oldest(uid);
  }

  function slotOf(uid: number | null): CommandSlot {
    let isTaken = true;
    return {
      uid,
      [Symbol.dispose]() {
        if (isTaken) give(uid);
        isTaken = false;
      },
    };
  }

  return {
    async take(signal) {
      if (signal.aborted) return null;
      const [uid] = free.splice(0, 1);
      if (uid !== undefined) return slotOf(uid);
      const { promise, resolve } = Promise.withResolvers<CommandSlot | null>();
      const begin = (given: number | null): void => end(slotOf(given));
      const abort = (): void => end(null);
      function end(result: CommandSlot | null): void {
        waiting.delete(begin);
        signal.removeEventListener("abort", abort);
        resolve(result);
      }
      waiting.add(begin);
      signal.addEventListener("abort", abort, { once: true });
      return promise;
    },
  };
}
