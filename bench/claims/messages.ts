/** Messages between the benchmark and the process of a peer. */
export type ToPeer = { readonly type: "seed"; readonly count: number } | { readonly type: "run"; readonly ms: number };

export interface FromPeer {
  /** Cycles that were done. */
  readonly count: number;
  readonly seconds: number;
  /** CPU time of the peer's process while it ran. */
  readonly nodeMs: number;
}
