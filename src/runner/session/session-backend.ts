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
  /** Resolves when the server has confirmed the phase; state requests wait for it. */
  permitted: Promise<void>;
  /** Called with each state that the engine reads or writes; `undefined` if it is no JSON. */
  onState: (state: unknown) => void;
}

/** Opens the state backend of one engine command. Sensitive values of states are added to the masker. */
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
 * Resolves when the server has confirmed. Rejects with JobStopped if the job must stop before: then the engine gets no
 * state, ends at once, and counts as not started. An engine that began gets its state also while the job stops.
 */
export function confirmedOrStopped(confirmed: Promise<void>, stop: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
  const first = Promise.race([confirmed, stopped]);
  // An engine may send no request, and then nothing awaits it.
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
