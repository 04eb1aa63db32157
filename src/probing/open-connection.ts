/** Opens connections to targets of probes. Each throws TargetRefused if the host is an address that is refused. */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Target } from "../network/address-guard.ts";
import { type ConnectionRules, lookupFor } from "./connection-rules.ts";

export function openTcp({ host, port }: Target, rules: ConnectionRules): Socket {
  return connectTcp({ host, port, lookup: lookupFor({ host, port }, rules) });
}

/** `serverName`: the name that TLS asks for; `null`: that of the host. An address is not a name that TLS could ask for. */
export function openTls({ host, port }: Target, serverName: string | null, rules: ConnectionRules): TLSSocket {
  const lookup = lookupFor({ host, port }, rules);
  const name = serverName ?? host;
  const servername = isIP(name) === 0 ? name : "";
  return connectTls({ host, port, servername, lookup, ...(rules.ca !== undefined && { ca: rules.ca }) });
}
