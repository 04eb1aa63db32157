/** Lets so many pieces of work be under way at a time; others wait in line. */
export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;

  async function enter(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async pass(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
