/** The addresses of the runner's own server, which no probe may reach. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { targetOf } from "../../network/address-guard.ts";

/** Resolves a name to all of its addresses; tests replace it. */
type ResolveAll = (name: string) => Promise<readonly { address: string }[]>;

const KEPT_MS = 30_000;

export class ServerAddress {
  readonly #host: string;
  readonly #port: number;
  readonly #resolve: ResolveAll;
  readonly #now: () => number;
  #addresses: readonly string[] = [];
  #freshUntil = 0;

  constructor(serverUrl: string, now: () => number, resolve: ResolveAll = (name) => lookup(name, { all: true })) {
    const { host, port } = targetOf(new URL(serverUrl));
    this.#host = host;
    this.#port = port;
    this.#now = now;
    this.#resolve = resolve;
  }

  /** Resolves the name of the server again if that was long ago. Without an answer the addresses from before count. */
  async refresh(): Promise<void> {
    if (this.#now() < this.#freshUntil) return;
    const found = await this.#resolve(this.#host).catch(() => []);
    if (found.length > 0) this.#addresses = found.map(({ address }) => normalAddress(address));
    this.#freshUntil = this.#now() + KEPT_MS;
  }

  /** Whether a connection to this address and port would reach the server. A server on loopback has all of its addresses. */
  isServer(address: string, port: number): boolean {
    if (port !== this.#port) return false;
    const normal = normalAddress(address);
    return this.#addresses.some((own) => own === normal || (isLoopback(own) && isLoopback(normal)));
  }
}

/** An address of IPv4 that is mapped into IPv6 is that of IPv4. */
function normalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
