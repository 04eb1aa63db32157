/** What the benchmark and a peer's process say to each other. */
export type ToPeer = { readonly type: "seed"; readonly count: number } | { readonly type: "run"; readonly ms: number };

export interface FromPeer {
  /** Cycles that were done. */
  readonly count: number;
  readonly seconds: number;
  /** Of the peer's process while it ran. */
  readonly nodeMs: number;
}
