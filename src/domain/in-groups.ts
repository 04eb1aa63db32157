interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Items that come while others are worked on go together, as one group: what costs the same for one as for many, such as
 * a commit, is paid once for all of them. An item that comes alone waits for nobody but those of its own turn of the event
 * loop. An error of the work is everybody's of the group.
 *
 * `work` gives one result for each item, in their order. `most`: items of a group; `atOnce`: groups under way.
 */
export function inGroups<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, atOnce }: { most: number; atOnce: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  const perform = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    underWay += 1;
    try {
      const results = await work(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error("Work on a group has not given a result for each item.");
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      underWay -= 1;
      begin();
    }
  };
  const begin = (): void => {
    while (waiting.length > 0 && underWay < atOnce) void perform(waiting.splice(0, most));
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (waiting.length === 0) setImmediate(begin);
    waiting.push({ item, resolve, reject });
    return promise;
  };
}
