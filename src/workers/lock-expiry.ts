import type { Deps } from "../domain/kit/deps.ts";
import { expireLocks } from "../domain/workspace/expire-locks.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Takes away the locks of workspaces that have expired, so that their runs go on. */
export function startLockExpiry(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.lockExpiryMs,
    work: () => expireLocks(deps),
    onError: (error) => deps.reportError(error, "the expiry of locks"),
  });
}
