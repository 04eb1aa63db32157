/** Which addresses a webhook's request may go to: public ones, and those that the configuration names. */
import ipaddr from "ipaddr.js";
import type { AllowedTarget } from "../../model/webhook/webhook.ts";

/** Where a request goes, as its URL says. */
export interface Target {
  /** Without brackets, in small letters, without a dot at its end. */
  host: string;
  port: number;
}

/** IPv6 gives out no other addresses to hosts; what lies elsewhere carries or means something else. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Azure serves its machines their certificates and settings there, though the address is a public one. */
const SERVED_BY_CLOUD: readonly string[] = ["168.63.129.16"];

export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { host, port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port) };
}

/** The address that a host is, where it is no name; URLs write the other forms of IPv4 (decimal, octal) as this one. */
export function literalAddress({ host }: Target): string | null {
  return ipaddr.isValid(host) ? host : null;
}

/** Whether a connection to this address, to which the target's name was resolved, may be opened. */
export function isAllowedAddress(address: string, target: Target, allowed: readonly AllowedTarget[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address within IPv6 is judged as what it is.
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
