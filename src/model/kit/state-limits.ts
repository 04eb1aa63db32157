/** Bounds of states. */
export const STATE_LIMITS = {
  stateBytes: 256 * 1024 * 1024,
  /** Levels of a state; a reader in Go allows no more. */
  stateDepth: 10_000,
  /** Its outputs, which are parsed as a whole: values, and bytes. */
  stateOutputParts: 500_000,
  stateOutputBytes: 32 * 1024 * 1024,
  /** States that one server parses at a time. */
  statesParsedAtOnce: 2,
  /** States that one server examines at a time, and states per request. */
  statesExaminedAtOnce: 2,
  statesExaminedPerRequest: 3,
  /** Larger states are not examined. */
  stateExaminedBytes: 128 * 1024 * 1024,
  /** Values of the states of one examination, which are parsed as a whole, and the memory for that. */
  stateExaminedParts: 4_000_000,
  stateExaminedMebibytes: 3072,
  /** Smaller states need no worker thread. */
  stateInlineBytes: 512 * 1024,
  stateResourcesShown: 1000,
  stateValuesShown: 200,
  stateValueLength: 4096,
  stateReadingsShown: 20,
} as const;
