import type { Deps } from "../kit/deps.ts";
import { noteAbsentTargets } from "./absent-targets.ts";
import { announceHealth } from "./announce-health.ts";
import { followTargets } from "./follow-targets.ts";

/** Does what is due for the health of workspaces. A part that fails does not prevent the others, and is thrown after them. */
export async function healthRound(deps: Deps, signal?: AbortSignal): Promise<void> {
  const parts = [() => followTargets(deps, signal), () => noteAbsentTargets(deps), () => announceHealth(deps)];
  const errors: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts of a round of health failed`);
  if (errors.length === 1) throw errors[0];
}
