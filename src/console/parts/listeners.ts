/** Functions that are called at each change of something outside of React. */
export interface Listeners {
  readonly notify: () => void;
  /** Calls back at each change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    notify() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
