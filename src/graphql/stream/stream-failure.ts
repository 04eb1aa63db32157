/**
 * The last item of a stream whose tail broke. The error rises where the item is resolved, so that it is masked and
 * reported like any other, and the subscription completes; thrown by the iterator it would close the whole socket.
 */
export interface Broken {
  type: "Broken";
  error: unknown;
}

export function broken(error: unknown): Broken {
  return { type: "Broken", error };
}

/** Returns the item, or throws the error that it represents. */
export function unbroken<Item extends object>(item: Item | Broken): Item {
  if (isBroken(item)) throw item.error;
  return item;
}

function isBroken(item: object): item is Broken {
  return "type" in item && item.type === "Broken";
}
