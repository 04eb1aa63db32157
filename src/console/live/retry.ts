/** Waits for the next try of what failed because the server could not be reached. */
import { linkStatus, onLink } from "./link.ts";

/** A page without a stream has no connection that reports its return. */
const AT_LATEST_MS = 3_000;

/** Fulfilled when the connection is live, at the latest after three seconds, or when the signal is aborted. */
export function untilRetry(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, AT_LATEST_MS);
    const stop = onLink(() => {
      if (linkStatus().state === "LIVE") end();
    });
    signal?.addEventListener("abort", end);
  });
}

/** How long a request that the server refuses is not tried again. */
const REFUSED_MS = 5_000;

/** Fulfilled when a refused request may be tried again, or when the signal is aborted. */
export function untilAllowed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, REFUSED_MS);
    signal.addEventListener("abort", end);
  });
}

interface QueryError {
  readonly networkError?: Error | undefined;
  readonly response?: unknown;
}

const TOO_MANY_REQUESTS = 429;

/**
 * Whether a query has failed on its way, by a server that just stops or starts, or because the person has sent too many: reading
 * again may help.
 */
export function isLost(error: QueryError | undefined): boolean {
  if (error === undefined) return false;
  const { networkError, response } = error;
  const status = typeof response === "object" && response !== null && "status" in response ? response.status : null;
  if (status === TOO_MANY_REQUESTS) return true;
  return networkError !== undefined && (typeof status !== "number" || status >= 500 || status === 200);
}
