/** The embedded Postgres cannot be used; the message has the reason and the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
