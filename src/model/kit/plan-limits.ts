/** Bounds of plans and of what their engines report. */
export const PLAN_LIMITS = {
  /** Plans whose changes one request reads as a whole, without their values. */
  planIndexesPerRequest: 4,
  /** The errors and warnings of one command, and the bytes of their texts. */
  diagnostics: 200,
  diagnosticSummaryBytes: 500,
  diagnosticDetailBytes: 4096,
  diagnosticPlaceBytes: 1000,
  diagnosticSnippetBytes: 2048,
} as const;
