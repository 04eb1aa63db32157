import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { createVerificationRounds } from "../domain/verification/verification-round.ts";
import { VERIFICATION_LIMITS } from "../model/workspace/verification-limits.ts";
import { startLeasedWork } from "./leased-work.ts";

/** Starts the verifications of a server. */
export function startVerifications(deps: Deps, hub: Hub): AsyncDisposable {
  return startLeasedWork(deps, hub, {
    topic: "verifications",
    name: "verifying applies",
    pollMs: VERIFICATION_LIMITS.pollMs,
    create: (listeners) => createVerificationRounds(deps, listeners),
  });
}
