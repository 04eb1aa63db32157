import { RUN_STATUSES } from "../../src/model/lifecycle/run-status.ts";

/** Words that are also states of deliveries, phases, bulk operations or decisions. */
const SHARED_WORDS = new Set([
  "FINISHED",
  "FAILED",
  "TIMED_OUT",
  "REJECTED",
  "DISCARDED",
  "CANCELED",
  "STOPPED",
  "SKIPPED",
]);
const STATUSES: ReadonlySet<string> = new Set(RUN_STATUSES);
const OWN_WORDS = RUN_STATUSES.filter((status) => !SHARED_WORDS.has(status));
const IN_SQL = new RegExp(`'(?:${OWN_WORDS.join("|")})'`);

/** Code that may name statuses: the run machine, the enum of the API, and clients of the API. */
const MAY_NAME = /^(?:model|client|cli)\/|^graphql\/run\/run-enums\.ts$/;

export function mayNameStatuses(file: string): boolean {
  return MAY_NAME.test(file);
}

/** Whether a string literal names the status of a run. `comparesStatus`: it is compared with something named status. */
export function namesStatus(text: string, comparesStatus: boolean): boolean {
  return comparesStatus ? STATUSES.has(text) : STATUSES.has(text) && !SHARED_WORDS.has(text);
}

/** Whether a template, which is SQL, names a status. */
export function namesStatusInSql(text: string): boolean {
  return IN_SQL.test(text);
}
