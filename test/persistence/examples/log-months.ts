import * as months from "../../../src/persistence/log/log-month-store.ts";
import { exampleStore, LATER } from "./world.ts";

/** A stretch of ids in which there is no run. */
const CLOSED = { name: "log_batch_before_a", from: null, to: "run_z" };
const MONTH = { name: "log_batch_a", from: "run_z", to: "run_zz" };

/** Changes the table for good, and wants it for itself: last of all, and outside of the examples' transaction. */
export const LOG_MONTH_STORES = {
  "log-month-store": exampleStore(months, ({ tx, database, at }) => ({
    aloneWithLogMonths: () => months.aloneWithLogMonths(database, () => Promise.resolve()),
    listLogMonths: () => months.listLogMonths(database),
    dropLeftBound: () => months.dropLeftBound(database),
    newestLoggedRun: () => months.newestLoggedRun(database, false),
    cutLogMonths: () => months.cutLogMonths(database, { closed: CLOSED, months: [MONTH], openFrom: MONTH.to }),
    "cutLogMonths: again": () =>
      months.cutLogMonths(database, {
        closed: { name: "log_batch_b", from: MONTH.to, to: "run_zzz" },
        months: [],
        openFrom: "run_zzz",
      }),
    logMonthBytes: () => months.logMonthBytes(database, MONTH),
    dropLogMonth: () => months.dropLogMonth(database, MONTH),
    listLogKeepers: () => months.listLogKeepers(tx, MONTH, at),
    expireLogs: () => months.expireLogs(tx, MONTH, "", LATER, 100),
  })),
};
