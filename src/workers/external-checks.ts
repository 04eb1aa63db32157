import type { Hub } from "../bus/hub.ts";
import { createCheckRounds } from "../domain/external-check/check-round.ts";
import type { CheckTransport } from "../domain/external-check/request-check.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLeasedWork } from "./leased-work.ts";

/** Starts the requests of external checks. */
export function startExternalChecks(deps: Deps, hub: Hub, transport: CheckTransport): AsyncDisposable {
  return startLeasedWork(deps, hub, {
    topic: "checks",
    name: "external checks",
    pollMs: LIMITS.checkPollMs,
    create: (listeners) => createCheckRounds(deps, transport, listeners),
  });
}
