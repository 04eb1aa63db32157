import type { OperationTypeNode } from "graphql";
import type { Tails } from "../../bus/tails.ts";
import type { Domain } from "../../domain/domain.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Charge, OperationCost } from "../../model/limit/charge.ts";
import type { Loaders } from "./loader.ts";
import type { StreamPosition } from "./stream-position.ts";

/** The facts of a request that its transport provides. */
export interface ServerContext {
  caller: ActorCaller;
  /** Receives the facts of the operation, for the log. */
  note?: ((facts: { operation?: string; runId?: string }) => void) | undefined;
  /** Takes the cost of the operation from the limits of the caller. Absent if they are not limited, or it was taken. */
  charge?: ((type: OperationTypeNode, cost: OperationCost) => Charge) | undefined;
  /** The charge that was made; absent if there are no limits. */
  charged?: Charge | undefined;
  /** Called when the response to an HTTP request is a stream of server-sent events. */
  onEventStream?: (() => void) | undefined;
  /**
   * Returns the caller with its rights of now; `null` if it lost one since, after which nothing is sent. Absent where the
   * rights do not change while the operation lasts.
   */
  renewCaller?: ((before: ActorCaller) => Promise<ActorCaller | null>) | undefined;
  /** The position of a subscription in its stream. Absent if it does not have to be tracked. */
  streamPosition?: StreamPosition | undefined;
}

/** The context of resolvers, one per operation. A subscription empties `loaders` before each of its items. */
export interface GraphqlContext extends ServerContext {
  domain: Domain;
  tails: Tails;
  /** Part of the cursors of a run: see `findEpoch`. */
  epoch: string;
  /** Derives the keys that seal positions in feeds: see `feedCursors`. */
  cursorKeyOf: (subjectId: string) => Uint8Array;
  loaders: Loaders;
}
