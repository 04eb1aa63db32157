/** The cost of an operation at most, known before it is executed. */
export interface OperationCost {
  readonly points: number;
  /** The objects that it can return, as far as lists decide. */
  readonly nodes: number;
  /** Whether it is executed also on an overloaded server: it decides about a run that waits, or stops one. */
  readonly urgent?: boolean;
}

/** The owners of points. */
export type LimitedKind = "credential" | "organization";

/** The limit of each credential, or of each organization. */
export interface QuotaPolicy {
  readonly whose: LimitedKind;
  /** The points that are available at once when none were used. */
  readonly limit: number;
  /** The time in which none become all. */
  readonly fullMs: number;
}

/** The points of a credential or an organization after a charge. */
export interface Quota {
  readonly policy: QuotaPolicy;
  readonly remaining: number;
  /** The time until all points are available again. */
  readonly resetMs: number;
}

/** The outcome of taking the cost of an operation from the limits of its caller. */
export type Charge =
  | {
      readonly type: "charged";
      readonly cost: OperationCost;
      readonly at: Date;
      readonly quotas: readonly Quota[];
    }
  | ExhaustedCharge
  /** The server is overloaded, and the credential uses more than others. */
  | { readonly type: "shed"; readonly retryAfterMs: number }
  /** The credential has as many subscriptions open as it may. */
  | { readonly type: "tooManyOpen"; readonly limit: number }
  /** It costs more than is ever available at once. */
  | { readonly type: "tooExpensive"; readonly points: number; readonly limit: number };

/** The refusal of a caller whose points do not suffice. Nothing was taken. */
export interface ExhaustedCharge {
  readonly type: "exhausted";
  readonly whose: LimitedKind;
  readonly retryAfterMs: number;
  readonly quotas: readonly Quota[];
}
