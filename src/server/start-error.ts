/** A start that failed because of what a variable says; the message begins with its name. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Another port may do; what else keeps a server from listening has to do with its address. */
const OF_THE_PORT: Record<string, string> = {
  EADDRINUSE: "something else listens there; set another port",
  EACCES: "this user may not listen there; set another port",
};

/** Why the database of DATABASE_URL cannot be used. Neither the driver nor Postgres repeats the password. */
export function databaseRefused(error: unknown): StartError {
  return new StartError(`DATABASE_URL: ${messageOf(error)}`, { cause: error });
}

/** Why nothing can listen on HOLDPOINT_HOST and HOLDPOINT_PORT. */
export function listenRefused(error: unknown): StartError {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const remedy = OF_THE_PORT[code];
  const message = messageOf(error);
  const text =
    remedy === undefined
      ? `HOLDPOINT_HOST: ${message}. Set an address of this machine, or a name of one.`
      : `HOLDPOINT_PORT: ${message}: ${remedy}.`;
  return new StartError(text, { cause: error });
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? error.errors.map(messageOf).join("; ") : error.name;
}
