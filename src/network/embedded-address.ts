/** IPv4 addresses inside of IPv6 addresses: a gateway connects to them. */
import ipaddr from "ipaddr.js";

/** Networks of translators and tunnels, each with the byte at which the IPv4 address begins. */
const EMBEDDING: readonly (readonly [network: string, at: number])[] = [
  // IPv4-compatible, which is deprecated.
  ["::/96", 12],
  // SIIT.
  ["::ffff:0:0:0/96", 12],
  // NAT64, with its well-known prefix and with those of a site.
  ["64:ff9b::/96", 12],
  ["64:ff9b:1::/48", 12],
  // 6to4.
  ["2002::/16", 2],
];
const NETWORKS = EMBEDDING.map(([network, at]) => ({ network: ipaddr.IPv6.parseCIDR(network), at }));
/** `::` and `::1`, which embed nothing. */
const OWN = ["unspecified", "loopback"];

/** Returns the IPv4 address inside of an IPv6 address; `null` if there is none. */
export function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6) || OWN.includes(address.range())) return null;
  const found = NETWORKS.find(({ network }) => address.match(network));
  if (found === undefined) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(found.at, found.at + 4));
}
