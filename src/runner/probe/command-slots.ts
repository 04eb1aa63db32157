/** Users for the commands of probes. Each is for one workspace at a time, and none is that of a slot of jobs. */
export interface CommandSlots {
  /** Waits for a free one; `null` if the signal aborts before. */
  take(signal: AbortSignal): Promise<CommandSlot | null>;
}

export interface CommandSlot extends Disposable {
  /** User id of the commands; `null`: the runner's own user. */
  uid: number | null;
}

export function createCommandSlots(uids: readonly (number | null)[]): CommandSlots {
  const free = [...uids];
  const waiting: (() => void)[] = [];
  return {
    async take(signal) {
      while (free.length === 0) {
        if (signal.aborted) return null;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
      const [uid = null] = free.splice(0, 1);
      return {
        uid,
        [Symbol.dispose]() {
          free.push(uid);
          waiting.shift()?.();
        },
      };
    },
  };
}
