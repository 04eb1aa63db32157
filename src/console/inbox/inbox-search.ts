/** The part of the address of the inbox behind `?`. */
export interface InboxSearch {
  /** The cursor after which the page begins; absent: the oldest items. */
  readonly after?: string | undefined;
}

/** Reads the address; what it does not know is left out. */
export function readInboxSearch({ after }: Record<string, unknown>): InboxSearch {
  return typeof after === "string" ? { after } : {};
}
