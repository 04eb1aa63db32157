/** The store of artifacts is unavailable; a later request may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly code = "STORE_UNAVAILABLE";

  /** Returns the text for the caller. The message of the error names hosts and is only logged. */
  shownAs(errorId: string): string {
    return `The artifact store is unreachable. Try again later (${errorId}).`;
  }
}

/** The disk of the database is full. The transaction was rolled back. */
export class DatabaseFull extends StoreUnavailable {
  override shownAs(errorId: string): string {
    return `The disk of the database is full, so nothing was stored. Free space on it, then try again (${errorId}).`;
  }
}
