/** The part of the address of a run behind `?`. */
export const TABS = ["plan", "checks", "log", "timeline", "comments"] as const;
export type Tab = (typeof TABS)[number];
/** The key that opens each of them. */
export const TAB_KEYS: Readonly<Record<Tab, string>> = {
  plan: "p",
  checks: "s",
  log: "l",
  timeline: "t",
  comments: "c",
};

export interface RunPageSearch {
  /** Absent: the plan if there is one, else the log. */
  readonly tab?: Tab;
}

/** Reads the address; what it does not know is left out. */
export function readRunPageSearch({ tab }: Record<string, unknown>): RunPageSearch {
  const known = TABS.find((name) => name === tab);
  return known === undefined ? {} : { tab: known };
}
