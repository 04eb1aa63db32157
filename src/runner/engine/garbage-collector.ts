/** How much memory an engine may take so that it need not collect its garbage so often. */
import { totalmem } from "node:os";
import type { EngineIsolation } from "./engine-command.ts";

/** What one engine or provider may take of its slot: a job has several, one for each region of a configuration, say. */
const PROCESS_SHARE = 4;
/** With less for each slot, what is saved is memory: Go's own settings. */
const LEAST_BYTES_A_SLOT = 4 * 1024 ** 3;

/**
 * Settings for Go's collector in engines and providers, none where memory is short. It starts a collection when what is
 * in use has doubled; from 10 MB on, which a start needs anyway, that is a quarter of an engine's CPU time (measured: a
 * plan of 20 resources 55 ms and not 75, one of 2,000 2.3 s and not 3.0, for 290 MB and not 150). With 400 it waits until
 * there is five times as much. The limit, of each process, is for large ones: towards it they collect more and more often,
 * but never for more than half of their CPU time, and pass it where they must. `machineBytes`: what all slots have together.
 */
export function collectorSettings(
  machineBytes: number,
  slots: number,
  { bounds, prefix }: EngineIsolation,
): Record<string, string> {
  const slotBytes = Math.floor(machineBytes / Math.max(1, slots));
  // What another bound, or a container, leaves to the engine is not known here.
  const known = prefix.length === 0 && bounds.maxMemoryBytes === null;
  if (!known || slotBytes < LEAST_BYTES_A_SLOT) return {};
  return { GOGC: "400", GOMEMLIMIT: String(Math.floor(slotBytes / PROCESS_SHARE)) };
}

/** Memory of this machine, or of the container that this process is in. */
export function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
