/** Decides which addresses the server may reach for its users: public ones, and those that the configuration allows. */
import ipaddr from "ipaddr.js";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";

/** The target of a request, from its URL. */
export interface Target {
  /** Without brackets, in lower case, without a trailing dot. */
  host: string;
  port: number;
}

/** IPv6 assigns public addresses to hosts only here; other ranges tunnel or have special meanings. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Azure serves certificates and settings to its machines at this public address. */
const SERVED_BY_CLOUD: readonly string[] = ["168.63.129.16"];

export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { host, port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port) };
}

/**
 * Returns the address if the host is an address, not a name. URLs already normalise other forms of IPv4 (decimal,
 * octal).
 */
export function literalAddress({ host }: Target): string | null {
  return ipaddr.isValid(host) ? host : null;
}

/** Whether the host of a target is an address to which no connection may be opened. Names are checked when they resolve. */
export function isRefusedLiteral(target: Target, allowed: readonly AllowedTarget[]): boolean {
  const literal = literalAddress(target);
  return literal !== null && !isAllowedAddress(literal, target, allowed);
}

/** Whether a connection to an address that the target's name resolved to may be opened. */
export function isAllowedAddress(address: string, target: Target, allowed: readonly AllowedTarget[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4-mapped IPv6 address is judged as IPv4.
  const found = ipaddr.process(address);
  return isPublic(found) || allowed.some((entry) => covers(entry, found, target));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast" || SERVED_BY_CLOUD.includes(address.toString())) return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
}

function covers(entry: AllowedTarget, address: ipaddr.IPv4 | ipaddr.IPv6, target: Target): boolean {
  if (entry.port !== null && entry.port !== target.port) return false;
  if (entry.type === "name") return entry.name === target.host;
  const network = ipaddr.parse(entry.address);
  return network.kind() === address.kind() && address.match(network, entry.prefix);
}
