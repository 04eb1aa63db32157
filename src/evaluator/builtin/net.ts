/** Functions about networks. */
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type Arguments, type Builtins, membersAt, stringAt, undefinedResult } from "./operands.ts";
import { entriesOf, isArray, isObject, isSet, type RegoValue, setOf } from "./rego-value.ts";

/** A range of addresses of one family. */
interface Range {
  bits: 32 | 128;
  first: bigint;
  last: bigint;
}

const MAPPED = 0xffffn << 32n;

function parseAddress(text: string): { bits: 32 | 128; value: bigint } | null {
  if (isIPv4(text)) return { bits: 32, value: valueOf(text) };
  if (!isIPv6(text) || text.includes("%")) return null;
  const value = valueOf(text);
  return value >> 32n === 0xffffn ? { bits: 32, value: value - MAPPED } : { bits: 128, value };
}

const valueOf = (text: string): bigint => BigInt(`0x${Buffer.from(ipaddr.parse(text).toByteArray()).toString("hex")}`);

function parseCidr(text: string): Range | null {
  const [, address = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (!isIPv4(address) && (!isIPv6(address) || address.includes("%"))) return null;
  const bits = isIPv4(address) ? 32 : 128;
  if (Number(length) > bits || (length.length > 1 && length.startsWith("0"))) return null;
  return rangeOf(bits, valueOf(address), Number(length));
}

function rangeOf(bits: 32 | 128, address: bigint, prefix: number): Range {
  const size = 1n << BigInt(bits - prefix);
  const first = (address / size) * size;
  return { bits, first, last: first + size - 1n };
}

function cidrOf(text: string): Range {
  const range = parseCidr(text);
  if (range === null) throw undefinedResult(`invalid CIDR address: ${text}`);
  return range;
}

const includes = (range: Range, bits: number, address: bigint): boolean =>
  range.bits === bits && address >= range.first && address <= range.last;

function contains(cidr: string, other: string): boolean {
  const range = cidrOf(cidr);
  const address = parseAddress(other);
  if (address !== null) return includes(range, address.bits, address.value);
  const inner = cidrOf(other);
  return includes(range, inner.bits, inner.first) && includes(range, inner.bits, inner.last);
}

function intersects(args: Arguments): boolean {
  const [a, b] = [cidrOf(stringAt(args, 0)), cidrOf(stringAt(args, 1))];
  return includes(a, b.bits, b.first) || includes(b, a.bits, a.first);
}

/** Lists the networks of a text, an array, a set or an object, each with its index. */
function networksAt(args: Arguments, index: number): readonly (readonly [cidr: string, index: RegoValue])[] {
  const value = args[index];
  if (typeof value === "string") return [[value, value]];
  if (isArray(value)) return value.map((item, position) => [networkIn(item), position] as const);
  if (isSet(value)) return [...value].map((item) => [networkIn(item), item] as const);
  if (isObject(value)) return entriesOf(value).map(([key, item]) => [networkIn(item), key] as const);
  return [];
}

function networkIn(value: RegoValue): string {
  const item = isArray(value) ? value[0] : value;
  if (typeof item !== "string") throw undefinedResult("element must be string or non-empty array");
  return item;
}

function containsMatches(args: Arguments): RegoValue {
  const others = networksAt(args, 1);
  const pairs = networksAt(args, 0).flatMap(([cidr, index]) =>
    others.filter(([other]) => contains(cidr, other)).map(([, position]) => [index, position]),
  );
  return setOf(pairs);
}

function textOf(bits: 32 | 128, value: bigint): string {
  const bytes = [...Buffer.from(value.toString(16).padStart(bits / 4, "0"), "hex")];
  const address = ipaddr.fromByteArray(bytes);
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

function expand(args: Arguments): RegoValue {
  const { bits, first, last } = cidrOf(stringAt(args, 0));
  const addresses = new Set<RegoValue>();
  for (let address = first; address <= last; address++) addresses.add(textOf(bits, address));
  return addresses;
}

/** Joins networks that overlap or touch, and lists the fewest that cover them. */
function merge(args: Arguments): RegoValue {
  const ranges = membersAt(args, 0).map((member) => {
    if (typeof member !== "string") throw undefinedResult("element must be string");
    const address = parseAddress(member);
    if (address?.bits === 128) throw undefinedResult("IPv6 invalid: needs prefix length");
    return address === null ? cidrOf(member) : rangeOf(32, address.value, classPrefix(address.value));
  });
  ranges.sort((a, b) => a.bits - b.bits || (a.first < b.first ? -1 : Number(a.first > b.first)));
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last === undefined || last.bits !== range.bits || range.first > last.last + 1n) merged.push({ ...range });
    else if (range.last > last.last) last.last = range.last;
  }
  return setOf(merged.flatMap(cidrsOf));
}

/** The prefix that an address of version 4 had by its class. */
function classPrefix(address: bigint): number {
  const first = address >> 24n;
  if (first < 128n) return 8;
  return first < 192n ? 16 : 24;
}

function cidrsOf({ bits, first, last }: Range): string[] {
  const found: string[] = [];
  for (let start = first; start <= last; ) {
    let prefix = bits;
    while (prefix > 0) {
      const wider = rangeOf(bits, start, prefix - 1);
      if (wider.first !== start || wider.last > last) break;
      prefix--;
    }
    found.push(`${textOf(bits, start)}/${prefix}`);
    start = rangeOf(bits, start, prefix).last + 1n;
  }
  return found;
}

const containsAt = (args: Arguments): boolean => contains(stringAt(args, 0), stringAt(args, 1));

export const NET: Builtins = {
  "net.cidr_contains": containsAt,
  "net.cidr_overlap": containsAt,
  "net.cidr_intersects": intersects,
  "net.cidr_contains_matches": containsMatches,
  "net.cidr_expand": expand,
  "net.cidr_merge": merge,
  "net.cidr_is_valid": ([text]) => typeof text === "string" && parseCidr(text) !== null,
};
