/** admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout */
const SERVER_GOING = new Set(["57P01", "57P02", "57P03", "57P05"]);
/** Class 08: connection exceptions. */
const CONNECTION_CLASS = /^08[0-9A-Z]{3}$/;
/** Codes of the network, and ENOENT: there is no Unix socket while Postgres is down. */
const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** The driver's own errors have no code. */
const DRIVER =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * Whether the database could not be reached, or was lost while it was asked: the same request may work later. Whether a
 * statement took effect is not known then.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (SERVER_GOING.has(code) || CONNECTION_CLASS.test(code) || NETWORK.has(code)) return true;
  if (code === "ENOENT") return "syscall" in error && error.syscall === "connect";
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isConnectionLost);
  return code === "" && DRIVER.test(error.message);
}
