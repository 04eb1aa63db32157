import type { Part } from "./part.ts";
import { query } from "./parts/query.ts";

/** In the order in which they are measured and shown. */
export const PARTS: readonly Part[] = [query];
