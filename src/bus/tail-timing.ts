import { LIMITS } from "../model/kit/limits.ts";

export interface TailTiming {
  clock: () => Date;
  /** The longest wait before a tail reads without a hint. */
  pollMs: number;
  /** The number of empty reads after which a tail reports that it is idle. */
  quietReads: number;
}

export const TAIL_TIMING: TailTiming = {
  clock: () => new Date(),
  pollMs: LIMITS.streamPollMs,
  quietReads: LIMITS.checkpointMs / LIMITS.streamPollMs,
};
