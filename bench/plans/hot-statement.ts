import type { Transaction } from "../../src/persistence/database/database.ts";

/** A statement that is frequent, or over a large table. */
export type HotStatement = (tx: Transaction) => Promise<unknown>;
