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
  readonly tab?: Tab | undefined;
  /** The version of the plan that is read. Absent: the current one, also after it is replaced. */
  readonly plan?: number | undefined;
  /** The version of the plan that it is compared with. */
  readonly compare?: number | undefined;
  /** The address of the change that is shown. */
  readonly change?: string | undefined;
}

/** Changes a part of the address; `replace`: without a new entry of the history. */
export type ChangeSearch = (part: RunPageSearch, replace?: boolean) => void;

/** Reads the address; what it does not know is left out. */
export function readRunPageSearch({ tab, plan, compare, change }: Record<string, unknown>): RunPageSearch {
  const known = TABS.find((name) => name === tab);
  return {
    ...(known !== undefined && { tab: known }),
    ...(isVersion(plan) && { plan }),
    ...(isVersion(compare) && { compare }),
    ...(typeof change === "string" && change !== "" && { change }),
  };
}

function isVersion(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
