/** The limits by which work that waits for git hosts is claimed. */
export interface HostLimits {
  /** Hosts that may have no more at present. */
  full: readonly string[];
  /** Hosts with something in progress, and how much; at the same places of both lists. */
  hosts: readonly string[];
  counts: readonly number[];
  /** The number that one host may have at a time. */
  perHost: number;
}

/**
 * The slots of one server for work that waits for git hosts. One host takes a few of them at most: a host that hangs must
 * not hold up the repositories of others.
 */
export class HostSlots {
  readonly #most: number;
  readonly #perHost: number;
  readonly #active = new Map<Promise<void>, string>();
  #freed = Promise.withResolvers<void>();

  constructor(most: number, perHost: number) {
    this.#most = most;
    this.#perHost = perHost;
  }

  /** Counts what may begin beside what is in progress. */
  get room(): number {
    return this.#most - this.#active.size;
  }

  get limits(): HostLimits {
    const perHost = this.#perHost;
    const active = Map.groupBy(this.#active.values(), (host) => host);
    const hosts = [...active.keys()];
    const counts = [...active.values()].map(({ length }) => length);
    return { full: hosts.filter((_, index) => (counts[index] ?? 0) >= perHost), hosts, counts, perHost };
  }

  /** Takes a slot until the work has ended, which must not fail. */
  take(gitHostId: string, work: Promise<void>): void {
    const taken = work.finally(() => {
      this.#active.delete(taken);
      this.#freed.resolve();
      this.#freed = Promise.withResolvers<void>();
    });
    this.#active.set(taken, gitHostId);
  }

  /** Resolves when a slot is next given back. */
  freed(): Promise<void> {
    return this.#freed.promise;
  }

  /** Waits for what is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#active.keys());
  }
}
