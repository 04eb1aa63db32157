/** The part of the address of a list behind `?`. */
export interface PageSearch {
  /** The cursor after which the page begins; absent: the first page. */
  readonly after?: string;
}

/** Reads the address; what it does not know is left out. */
export function readPageSearch({ after }: Record<string, unknown>): PageSearch {
  return typeof after === "string" ? { after } : {};
}
