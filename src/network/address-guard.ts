/** Decides which addresses may be reached for users: public ones, and those that the configuration allows. */
import ipaddr from "ipaddr.js";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { embeddedAddress } from "./embedded-address.ts";

/** The target of a request, from its URL. */
export interface Target {
  /** Without brackets, in lower case, without a trailing dot. */
  host: string;
  port: number;
}

/** IPv6 assigns public addresses to hosts only here; other ranges tunnel or have special meanings. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * Networks in which clouds serve credentials to their machines, beside link-local addresses: those of Alibaba, Azure (a
 * public address), Amazon and Google.
 */
const METADATA = ["100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::/32"].map((text) =>
  ipaddr.parseCIDR(text),
);

const LINK_LOCAL = ["169.254.0.0/16", "fe80::/10"].map((text) => ipaddr.parseCIDR(text));

/** Ranges of private networks. The shared range of carriers is in use inside of clouds and VPNs. */
const PRIVATE_RANGES: readonly string[] = ["private", "uniqueLocal", "carrierGradeNat"];

/** Addresses by which a machine reaches itself: they must be named as such. */
const OWN_RANGES: readonly string[] = ["loopback", "unspecified"];
const LEAST_OWN_PREFIX = 8;
/** The prefix of one address alone. */
const WHOLE_PREFIX = { ipv4: 32, ipv6: 128 };

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
  if (isOfMachine(found)) {
    return !allowed.some(isOfRunner) && allowed.some((entry) => isDeliberate(entry) && covers(entry, found, target));
  }
  const isOpen = isPublic(found) && !allowed.some(({ type }) => type === "only");
  return isOpen || allowed.some((entry) => covers(entry, found, target));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
}

/** Whether an address gives the machine that connects to it something of its own, or a gateway something of that. */
function isOfMachine(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const embedded = embeddedAddress(address);
  if (embedded !== null && isOfMachine(embedded)) return true;
  return address.range() === "linkLocal" || METADATA.some((network) => isWithin(address, network));
}

/**
 * Whether an entry may open an address of a machine: a single address, or a network of nothing but link-local ones. A name
 * may resolve to anything, and a wider network was written for its other hosts.
 */
function isDeliberate(entry: AllowedTarget): boolean {
  if (entry.type !== "network") return false;
  const network = ipaddr.parse(entry.address);
  const isOne = entry.prefix === WHOLE_PREFIX[network.kind()];
  return isOne || LINK_LOCAL.some((range) => entry.prefix >= range[1] && isWithin(network, range));
}

/** Whether a gateway would connect to itself. */
function embedsOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const embedded = embeddedAddress(address);
  return embedded !== null && OWN_RANGES.includes(embedded.range());
}

function isOfRunner({ type }: AllowedTarget): boolean {
  return type === "private" || type === "only";
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return network[0].kind() === address.kind() && address.match(network);
}

function covers(entry: AllowedTarget, address: ipaddr.IPv4 | ipaddr.IPv6, target: Target): boolean {
  if (entry.type === "private") return PRIVATE_RANGES.includes(address.range());
  if (entry.type === "only") return false;
  if (entry.port !== null && entry.port !== target.port) return false;
  if (entry.type === "name") return entry.name === target.host;
  const network = ipaddr.parse(entry.address);
  // A wide network such as 0.0.0.0/0 does not name this machine.
  const isWide = entry.prefix < LEAST_OWN_PREFIX || network.range() !== address.range();
  if (isWide && OWN_RANGES.includes(address.range())) return false;
  if (embedsOwn(address) && entry.prefix < WHOLE_PREFIX.ipv6) return false;
  return isWithin(address, [network, entry.prefix]);
}
