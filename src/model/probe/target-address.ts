/** The form of addresses and headers that probes send. */
import { PROBE_LIMITS } from "./probe-limits.ts";

/** Paths that are tried where neither the probe nor its target has one. */
export const USUAL_PATHS = ["/", "/health", "/healthz", "/api/health"] as const;

const HOST_AND_PORT = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/;
const HIGHEST_PORT = 65_535;
const UNSENT = /[\p{Cc}\s]/u;

/** Returns what is wrong with a URL, as the end of a sentence; `null` if nothing is. */
export function urlProblem(text: string): string | null {
  if (text.length > PROBE_LIMITS.targetLength) return `must have at most ${PROBE_LIMITS.targetLength} characters.`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be an address that begins with https:// or http://.";
  }
  if (UNSENT.test(text)) return "must not contain white space or control characters.";
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password: use a header.";
  if (url.port === "0") return "must have a port from 1 to 65535.";
  return null;
}

/** Parses `host:port`; an address of IPv6 is in brackets. `null` if it has another form. */
export function hostAndPort(text: string): { host: string; port: number } | null {
  if (text.length > PROBE_LIMITS.targetLength || UNSENT.test(text)) return null;
  const [, literal, name, digits] = HOST_AND_PORT.exec(text) ?? [];
  const port = Number(digits);
  const host = normalHost(literal === undefined ? name : `[${literal}]`);
  return host === null || !(port >= 1 && port <= HIGHEST_PORT) ? null : { host, port };
}

/** Brings forms such as `0x7f.1` to that of an address, as the URL of a browser does. */
function normalHost(host: string | undefined): string | null {
  if (host === undefined || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Whether the value of a header can be sent: printable characters of Latin-1, and tabs. */
export function isSendableValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
