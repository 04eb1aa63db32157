import type { OnIdle } from "../../bus/tails.ts";
import type { FeedPosition } from "../../model/run/feed.ts";

/**
 * The position of a subscription in its stream, so that readers can move from one subscription to another. Positions of
 * one epoch can be compared: versions of a run, numbers of log lines, positions in a feed.
 */
export interface StreamPosition {
  /** The stream begins behind this position, and ignores its arguments. `null`: the arguments decide. */
  readonly start: FeedPosition | null;
  /** The position up to which all items were returned. `null` if it is not known yet. */
  current: FeedPosition | null;
  /** Called each time that all existing items were returned and the stream waits for more. */
  onIdle: () => void;
}

/** The epoch of streams of one run: its versions and line numbers are never reused. */
export const NO_EPOCH = "";

/** Creates the listener by which a waiting tail keeps a position up to date. */
export function idleListener(streamPosition: StreamPosition | undefined, epoch: string): OnIdle {
  if (streamPosition === undefined) return undefined;
  return (position) => {
    streamPosition.current = { epoch, position };
    streamPosition.onIdle();
  };
}
