/** A start that failed because of the value of a variable. The message begins with the name of that variable. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The remedies of errors about the port; all other errors are about the address. */
const OF_THE_PORT: Record<string, string> = {
  EADDRINUSE: "another process listens there. Set another port",
  EACCES: "this user may not listen there. Set another port",
};

/** Describes a database of DATABASE_URL that cannot be used. Neither the driver nor Postgres repeats the password. */
export function databaseRefused(error: unknown): StartError {
  return new StartError(`DATABASE_URL: ${messageOf(error)}`, { cause: error });
}

/** Describes an error of listening on HOLDPOINT_HOST and HOLDPOINT_PORT. */
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

/** Gives the message of an error. A name with several addresses fails with one error for each, and no own message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? error.errors.map(messageOf).join("; ") : error.name;
}
