/** Bounds of the file in which a DETECT hook writes what it found. Sizes in bytes. */
export const SCAN_LIMITS = {
  scanFileBytes: 64 * 1024,
  scanUnits: 100,
  scanUnitBytes: 200,
  scanSummaryBytes: 4096,
} as const;
