/** The networks from which a token may be used. */
import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { LIMITS } from "../../model/kit/limits.ts";
import type { InputCheck } from "../kit/input.ts";

/** Whether an address is in one of the networks. */
export type IsInNetworks = (address: string, networks: readonly string[]) => boolean;

/** Creates a check that keeps the networks of tokens in their compiled form. */
export function createIsInNetworks(): IsInNetworks {
  const known = new LRUCache<string, BlockList>({ max: LIMITS.networksKnown });
  return (address, networks) => {
    const key = networks.join();
    const list = known.get(key) ?? compile(networks);
    known.set(key, list);
    const version = isIP(address);
    return version !== 0 && list.check(address, familyOf(version));
  };
}

function compile(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), familyOf(isIP(address)));
  }
  return list;
}

const familyOf = (version: number): "ipv4" | "ipv6" => (version === 4 ? "ipv4" : "ipv6");

/**
 * Returns a network in the one form in which it is stored: `10.0.0.0/8`, `2001:db8::/32`. An address alone is a network of
 * its own. `null` if the text is no network, or has an address beyond its prefix.
 */
function networkIn(text: string): string | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const isLength = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (version === 0 || address.includes("%") || !isLength || rest.length > 0) return null;
  const parsed = ipaddr.parse(address);
  // The address of a client in this form is read as IPv4.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return null;
  const network = `${parsed.toString()}/${Number(prefix ?? bits)}`;
  const first = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return first.networkAddressFromCIDR(network).toString() === parsed.toString() ? network : null;
}

const FORM = "must be a network such as 203.0.113.0/24 or 2001:db8::/32, without an address beyond its prefix.";

/**
 * Checks the networks of a token, and returns them in the form in which they are stored. `within`: the networks to which
 * the caller itself is bound, which bind what it makes; absent: none.
 */
export function checkNetworks(
  check: InputCheck,
  texts: readonly string[] | null,
  within: readonly string[] | undefined,
  whose = "your own token",
): readonly string[] {
  if (texts === null) return within ?? [];
  const most = LIMITS.networksPerToken;
  check.require(texts.length > 0 && texts.length <= most, "networks", `must be 1 to ${most}, or absent.`);
  if (texts.length > most) return [];
  const networks = texts.map(networkIn);
  for (const [index, network] of networks.entries()) {
    check.require(network !== null, `networks.${index}`, FORM);
    const isWithin = network === null || within === undefined || within.some((outer) => isSubnet(network, outer));
    check.require(isWithin, `networks.${index}`, `must be within the networks of ${whose}: ${within?.join(", ")}.`);
  }
  return [...new Set(networks.filter((network) => network !== null))];
}

/** Whether a token with these networks can be used nowhere else than in others. None: it can be used anywhere. */
export function areWithin(networks: readonly string[], within: readonly string[]): boolean {
  return networks.length > 0 && networks.every((network) => within.some((outer) => isSubnet(network, outer)));
}

/** Whether a network lies within another. Both are in the form in which they are stored. */
function isSubnet(network: string, outer: string): boolean {
  const [[address, prefix], [whole, wholePrefix]] = [ipaddr.parseCIDR(network), ipaddr.parseCIDR(outer)];
  return address.kind() === whole.kind() && prefix >= wholePrefix && address.match(whole, wholePrefix);
}
