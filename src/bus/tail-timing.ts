import { LIMITS } from "../model/kit/limits.ts";

export interface TailTiming {
  clock: () => Date;
  /** How long a tail waits at most before it looks again without a hint. */
  pollMs: number;
  /** The number of empty reads after which a tail reports that it is idle. */
  quietLooks: number;
}

export const TAIL_TIMING: TailTiming = {
  clock: () => new Date(),
  pollMs: LIMITS.streamPollMs,
  quietLooks: LIMITS.checkpointMs / LIMITS.streamPollMs,
};
