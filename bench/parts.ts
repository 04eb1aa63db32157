import type { Part } from "./part.ts";
import { claims } from "./parts/claims.ts";
import { logs } from "./parts/logs.ts";
import { plans } from "./parts/plans.ts";
import { query } from "./parts/query.ts";
import { rights } from "./parts/rights.ts";
import { smallQuery } from "./parts/small-query.ts";
import { start } from "./parts/start.ts";
import { streams } from "./parts/streams.ts";
import { transactions } from "./parts/transactions.ts";
import { wholeRun } from "./parts/whole-run.ts";

/** In the order in which they are measured and shown. */
export const PARTS: readonly Part[] = [
  query,
  smallQuery,
  rights,
  streams,
  claims,
  transactions,
  logs,
  wholeRun,
  start,
  plans,
];
