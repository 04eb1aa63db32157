import { vi } from "vitest";

/** As long as a slow machine may need; Vitest itself gives up after a second. */
const PATIENCE = { timeout: 50_000 };

/** Until the callback throws no more; with its result. */
export const waitFor: typeof vi.waitFor = (callback, options) =>
  vi.waitFor(callback, { ...PATIENCE, ...over(options) });

/** Until the condition holds; with its result. */
export const waitUntil: typeof vi.waitUntil = (condition, options) =>
  vi.waitUntil(condition, { ...PATIENCE, ...over(options) });

const over = <T extends object>(options: T | number | undefined) =>
  typeof options === "number" ? { timeout: options } : options;
