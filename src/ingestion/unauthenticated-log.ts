import type { IncomingMessage } from "node:http";
import { LIMITS } from "../model/kit/limits.ts";

export interface UnauthenticatedLogDeps {
  clock: () => Date;
  warn: (facts: { from: string | undefined; requests: number }, message: string) => void;
}

/**
 * Logs requests without a valid credential: the first at once, then one line for all that came within
 * `LIMITS.unauthenticatedLogMs`, when the next one comes. Nothing of what was sent is in it; each is counted as a request.
 */
export function createUnauthenticatedLog({ clock, warn }: UnauthenticatedLogDeps): (request: IncomingMessage) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let requests = 0;
  return ({ socket }) => {
    requests += 1;
    const now = clock().getTime();
    // Also where the clock was put back.
    if (Math.abs(now - reportedAt) < LIMITS.unauthenticatedLogMs) return;
    warn({ from: socket.remoteAddress, requests }, "A request to the runner protocol had no valid credential");
    reportedAt = now;
    requests = 0;
  };
}
