/** The part of the address of a list of runs behind `?`. */
export const SHOWN = ["all", "waiting"] as const;

export interface RunSearch {
  readonly show: (typeof SHOWN)[number];
  /** The text by which the runs are filtered. */
  readonly q?: string | undefined;
  /** The cursor after which the page begins; absent: the newest runs. */
  readonly after?: string | undefined;
}

/** Reads the address; what it does not know is left out. */
export function readRunSearch({ show, q, after }: Record<string, unknown>): RunSearch {
  const known = SHOWN.find((name) => name === show) ?? "all";
  return { show: known, ...(typeof q === "string" && q !== "" && { q }), ...(typeof after === "string" && { after }) };
}
