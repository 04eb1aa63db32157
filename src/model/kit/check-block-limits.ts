/** Bounds of the check blocks of a run. Sizes in bytes. */
export const CHECK_BLOCK_LIMITS = {
  /** Check blocks that are listed; all are counted. */
  checkBlocks: 500,
  /** Messages of one check block. */
  checkProblems: 20,
  checkProblemBytes: 1000,
  checkAddressBytes: 1000,
  /** All messages and addresses of one report together. */
  checkBlocksBytes: 256 * 1024,
  /** Check blocks that a warning names. */
  checkBlocksNamed: 5,
} as const;
