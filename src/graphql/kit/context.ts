import type { Tails } from "../../bus/tails.ts";
import type { Domain } from "../../domain/domain.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Loaders } from "./loaders.ts";
import type { StreamPlace } from "./stream-place.ts";

/** What the transport knows about a request: who sent it. */
export interface ServerContext {
  caller: TokenCaller;
  /** Hears what the operation is, for the log; absent: nobody listens. */
  note?: ((facts: { operation?: string; runId?: string }) => void) | undefined;
  /** Is told that the answer to an HTTP request is a stream of server-sent events; absent: nobody counts them. */
  onEventStream?: (() => void) | undefined;
  /** Where a subscription is in its stream; absent: nobody asks. */
  place?: StreamPlace | undefined;
}

/** What every resolver gets. One per operation; a subscription empties `loaders` before each of its items. */
export interface GraphqlContext extends ServerContext {
  domain: Domain;
  tails: Tails;
  /** Part of the cursors of a run: see `findEpoch`. */
  epoch: string;
  loaders: Loaders;
}
