import type { OnIdle } from "../../bus/tails.ts";
import type { FeedPosition } from "../../model/run/feed.ts";

/**
 * Where a subscription is in its stream, for whoever moves readers from one subscription to another. Positions of one
 * epoch can be compared: versions of a run, numbers of log lines, places in a feed.
 */
export interface StreamPlace {
  /** Begins behind this position, whatever the arguments say; null: the arguments say where. */
  readonly from: FeedPosition | null;
  /** Everything up to here was handed out; null: not known yet. */
  now: FeedPosition | null;
  /** Called whenever everything that there is was handed out, and the stream waits for more. */
  onIdle: () => void;
}

/** Streams of one run: versions and line numbers have one life. */
export const NO_EPOCH = "";

/** Keeps the place up to date while the tail waits. */
export function idleAt(place: StreamPlace | undefined, epoch: string): OnIdle {
  if (place === undefined) return undefined;
  return (position) => {
    place.now = { epoch, position };
    place.onIdle();
  };
}
