import type { OnIdle } from "../../bus/tails.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { Place, Places } from "../../model/people/place.ts";

/** The permission that takes to see a row of a stream, and the place at which it is asked for, or several. */
export interface RowAccess {
  readonly permission: Permission;
  readonly place: Place | Places;
}

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
  /** The place of the subject, as it was read last. `null` before it was read, and for rows with places of their own. */
  place: Place | null;
  /**
   * Returns the callers for whom the next row is executed, one for each view of it; none if no reader may see it. `null`:
   * a row that shows nothing, which all get.
   */
  audience: (access: RowAccess | null) => readonly ActorCaller[];
  /** Checks readers before they get rows that were read at this version of rights. Returns whether readers are left. */
  admit: (accessVersion: number) => Promise<boolean>;
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
