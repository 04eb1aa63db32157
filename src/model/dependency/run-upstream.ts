import type { OutputReference } from "./dependency.ts";

/** An output of a workspace upstream that a run got as a variable, without its value. */
export interface RunUpstream extends OutputReference {
  /** The state that the value is from. */
  stateVersionId: string;
  /** The run that wrote that state; `null` if a person imported it. */
  stateRunId: string | null;
  /** A keyed hash of the value. */
  valueHash: Buffer;
  /** Whether the value is not final: a speculative run has it as it was applied last. */
  assumed: boolean;
}
