import { vi } from "vitest";

/** As long as a slow machine may need; Vitest itself gives up after a second. */
const PATIENCE = { timeout: 50_000 };

/** As long as a slow machine may need after a kill, when leases run out and processes start. */
export const RECOVERY_MS = 150_000;

/** Until the callback throws no more; with its result. */
export const waitFor: typeof vi.waitFor = (callback, options) =>
  vi.waitFor(callback, { ...PATIENCE, ...over(options) });

/** Until the condition holds; with its result. */
export const waitUntil: typeof vi.waitUntil = (condition, options) =>
  vi.waitUntil(condition, { ...PATIENCE, ...over(options) });

const over = <T extends object>(options: T | number | undefined) =>
  typeof options === "number" ? { timeout: options } : options;
