import ipaddr from "ipaddr.js";
import { InvalidSetting, quote } from "./setting.ts";

const MAX_PORT = 65_535;

/** A host by its name, or a network of addresses; `port` null: any. */
export type AllowedTarget =
  | { readonly type: "name"; readonly name: string; readonly port: number | null }
  | { readonly type: "network"; readonly address: string; readonly prefix: number; readonly port: number | null };

/** Reads a list of hosts and networks, separated by commas. */
export function allowedTargets(text: string): AllowedTarget[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map(allowedTarget);
}

const TARGET = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;
const HOST_NAME = /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*$/;

/** `host`, `host:8080`, `10.0.0.0/8`, `10.1.2.3:8080`, `fd00::/8`, `[fd00::1]:8080`. */
function allowedTarget(text: string): AllowedTarget {
  if (isPlain(text.replace(/\/\d+$/, "")) && ipaddr.isValidCIDR(text)) {
    const [network, prefix] = ipaddr.parseCIDR(text);
    return { type: "network", address: network.toString(), prefix, port: null };
  }
  const bare = isPlain(text) ? { host: text, port: null } : hostAndPort(text);
  if (bare !== null && isPlain(bare.host)) {
    const address = ipaddr.process(bare.host);
    const prefix = address.kind() === "ipv4" ? 32 : 128;
    return { type: "network", address: address.toString(), prefix, port: bare.port };
  }
  if (bare !== null && HOST_NAME.test(bare.host) && !ipaddr.isValid(bare.host)) {
    return { type: "name", name: bare.host.toLowerCase(), port: bare.port };
  }
  throw new InvalidSetting(
    `must be a comma-separated list of hosts, addresses or networks, such as hooks.internal:8080 or 10.0.0.0/8, ` +
      `but has ${quote(text)}`,
  );
}

/** Not `10` for 0.0.0.10, nor octal numbers: `10/8` would open 0.0.0.0/8, where the server itself is. */
function isPlain(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
}

function hostAndPort(text: string): { host: string; port: number | null } | null {
  const { six, host = six, port } = TARGET.exec(text)?.groups ?? {};
  if (host === undefined || Number(port ?? 1) > MAX_PORT || port === "0") return null;
  return { host, port: port === undefined ? null : Number(port) };
}
