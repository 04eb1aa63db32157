export const MIB = 1024 * 1024;

/** Bounds of a judgement. Sizes in bytes or characters. */
export const BOUNDS = {
  /** The plan document after decompression. */
  documentBytes: 128 * MIB,
  findingsPerPolicy: 1000,
  messageLength: 1000,
  remediationLength: 2000,
  addressesPerFinding: 200,
  addressLength: 500,
  /** Findings of a policy that have a trace. */
  tracedFindings: 50,
  traceLines: 20,
  traceText: 300,
  /** A value that is shown in a message. */
  valueLength: 300,
  problems: 100,
  /** Texts that a policy may digest by `sanitized()`. */
  sanitizedTexts: 100,
  moduleBytes: 32 * MIB,
  /** The memory of a compiled module: its input, and all that it makes of it. */
  moduleMemoryBytes: 320 * MIB,
} as const;
