import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network whose proxies are believed: its address and the bits of its prefix. */
export type TrustedNetwork = readonly [Address, number];

/** Hops of X-Forwarded-For that are read at most, from the right. */
const HOPS = 32;

/** A plain address with the key by which it is limited. */
interface Client {
  readonly address: Address;
  readonly key: string;
}

/** The longest text of an address that is remembered: that of IPv6 with an IPv4 address in it. */
const ADDRESS_LENGTH = 45;
/** Parsing an address takes 15 us, a sixth of a small request. */
const parsed = new LRUCache<string, Client>({ max: 1000 });

/**
 * Returns the key by which a client is limited: its IPv4 address, or the /64 of its IPv6 address. Reads X-Forwarded-For
 * from right to left while the sender is a trusted proxy. If a hop is no plain address, the last sender that is known counts.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly TrustedNetwork[],
): string {
  return findClient(peer, forwardedFor, trusted)?.key ?? "unknown";
}

function findClient(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly TrustedNetwork[],
): Client | null {
  let client = clientOf(peer ?? "");
  if (client === null || forwardedFor === undefined || trusted.length === 0) return client;
  let end = forwardedFor.length;
  for (let hop = 0; hop < HOPS && end > 0 && isTrusted(client.address, trusted); hop += 1) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const next = clientOf(forwardedFor.slice(comma + 1, end).trim());
    if (next === null) break;
    client = next;
    end = comma;
  }
  return client;
}

/** The parts of a request from which its client is known. */
type Sender = Pick<IncomingMessage, "headers" | "socket">;

/** Returns the key by which the client of a request is limited. */
export function senderAddress(sender: Sender, trusted: readonly TrustedNetwork[]): string {
  return clientAddress(sender.socket.remoteAddress, forwardedFor(sender), trusted);
}

/** Finds the whole address of the client of a request; `null` if it is not known. */
export type AddressOf = (sender: Sender) => string | null;

export function createAddressOf(trusted: readonly TrustedNetwork[]): AddressOf {
  return (sender) => findClient(sender.socket.remoteAddress, forwardedFor(sender), trusted)?.address.toString() ?? null;
}

function forwardedFor({ headers }: Sender): string | undefined {
  const forwarded = headers["x-forwarded-for"];
  return Array.isArray(forwarded) ? forwarded.join() : forwarded;
}

function isTrusted(address: Address, trusted: readonly TrustedNetwork[]): boolean {
  return trusted.some(([network, prefix]) => address.kind() === network.kind() && address.match(network, prefix));
}

/** The client with the address of a text without port and zone; an IPv4 address within IPv6 becomes itself. */
function clientOf(text: string): Client | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes("%"));
  if (!isPlain) return null;
  const address = ipaddr.process(text);
  const client = { address, key: keyOf(address) };
  if (text.length <= ADDRESS_LENGTH) parsed.set(text, client);
  return client;
}

function keyOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
