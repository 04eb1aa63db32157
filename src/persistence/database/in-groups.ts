interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Items that come while others are worked on go together afterwards, as one group: what costs the same for one as for
 * many, such as a commit, is paid once for all of them. An item that comes while fewer than `atOnce` groups are under way
 * waits for nobody but those of its own turn of the event loop. An error of the work is everybody's of the group.
 *
 * `work` gives one result for each item, or a promise of it, in their order; it is given so many of them at `most`. Behind
 * a group that takes longer than `patienceMs` the next one begins all the same: one connection that hangs must not keep
 * all others waiting.
 */
export function inGroups<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
  { most, atOnce, patienceMs }: { most: number; atOnce: number; patienceMs: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isDue = false;
  const workOn = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error("Work on a group has not given a result for each item.");
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
      await Promise.allSettled(results);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const begin = async (): Promise<void> => {
    isDue = false;
    underWay += 1;
    while (waiting.length > 0) {
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, patienceMs);
      await Promise.race([workOn(waiting.splice(0, most)), patience.promise]);
      clearTimeout(timer);
    }
    underWay -= 1;
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isDue && underWay < atOnce) {
      isDue = true;
      setImmediate(() => void begin());
    }
    return promise;
  };
}
