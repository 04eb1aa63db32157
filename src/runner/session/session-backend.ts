import { parseExactJson } from "../../model/kit/exact-json.ts";
import { stateAddresses } from "../../model/state/state-file.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { Masker } from "../mask/masker.ts";
import { sensitiveStateTexts } from "../plan/plan-secrets.ts";
import type { JobClient } from "../server/job-client.ts";
import { type StateAccess, StateBackend, type StateBackendLimits } from "../state/state-backend.ts";
import type { StateDelivery } from "../state/state-delivery.ts";

/** The job that a state backend works for. */
export interface BackendContext {
  client: Pick<JobClient, "state">;
  control: JobControl;
  delivery: StateDelivery;
  masker: Masker;
  limits: StateBackendLimits;
  randomId: () => string;
  runnerLog: RunnerLog;
}

export interface EngineBackendOptions {
  access: StateAccess;
  /** Fulfilled when the server knows what the engine is about to do. */
  permitted: Promise<void>;
  /** The state that the engine reads or writes; undefined where it is no JSON. */
  onState: (state: unknown) => void;
}

/** The state backend of one command of the engine. What is secret in a state is so in the log. */
export function openEngineBackend(
  { client, delivery, control, masker, randomId, limits, runnerLog }: BackendContext,
  { access, permitted, onState }: EngineBackendOptions,
): Promise<StateBackend> {
  return StateBackend.open({
    access,
    client: {
      async state(...request) {
        await permitted;
        return client.state(...request);
      },
    },
    delivery,
    control,
    onState(bytes) {
      const state = tryParse(bytes);
      masker.addMarked(sensitiveStateTexts(state));
      masker.addAddresses(stateAddresses(state));
      onState(state);
    },
    randomId,
    limits,
    log: runnerLog,
  });
}

/**
 * Fulfilled when the server was told, and rejected with JobStopped where the job must stop before: such an engine gets no
 * state, so that it ends at once, and counts as not started. One that began gets what it asks for also while it stops.
 */
export function confirmedOrStopped(confirmed: Promise<void>, stop: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
  const first = Promise.race([confirmed, stopped]);
  // An engine may ask for nothing.
  first.catch(() => undefined);
  return first;
}

function tryParse(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes.toString());
  } catch {
    return undefined;
  }
}
