import type { Part } from "./part.ts";

/** In the order in which they are measured and shown. */
export const PARTS: readonly Part[] = [];
