/** The store of artifacts cannot be used now for any request: it may work later. */
export class StoreAway extends Error {
  override readonly name = "StoreAway";
  readonly code = "STORE_UNAVAILABLE";

  /** The text for the caller. The message of the error names hosts, and is for the log. */
  shownAs(errorId: string): string {
    return `The artifact store is unreachable. Try again later (${errorId}).`;
  }
}

/** The database has no space left on its disk. The transaction that found out was rolled back. */
export class DatabaseFull extends StoreAway {
  override shownAs(errorId: string): string {
    return `The disk of the database is full, so nothing was stored. Free space on it, then try again (${errorId}).`;
  }
}
