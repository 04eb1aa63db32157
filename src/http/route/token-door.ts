import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { atMost } from "../../model/kit/entry-limit.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { createFailureLimit, tooManyFailures } from "./failure-limit.ts";
import { createAddressOf, senderAddress, type TrustedNetwork } from "../kit/client-address.ts";
import type { Authenticate } from "../kit/token-end.ts";

export interface TokenDoorDeps {
  authenticate: Authenticate;
  clock: () => Date;
  /** Networks whose proxies are believed about the address of a client. */
  trustedProxies: readonly TrustedNetwork[];
}

/** The request that brings a token. */
export type Sender = Pick<IncomingMessage, "headers" | "socket">;

/** Finds the caller of a token; `null` if it is not valid. Throws RATE_LIMITED. */
export type TokenDoor = (secret: string, sender: Sender) => Promise<ActorCaller | null>;

/**
 * Limits how many tokens that are not valid an address may send: beyond that no token of it is looked up, but for those
 * that were valid lately. So guesses cost no statements, and people behind the same address continue to work.
 */
export function createTokenDoor({ authenticate, clock, trustedProxies }: TokenDoorDeps): TokenDoor {
  const failures = createFailureLimit(LIMITS.invalidTokens, clock);
  const valid = new LRUCache<string, true>(atMost(LIMITS.validTokensKnown));
  const addressOf = createAddressOf(trustedProxies);
  const keyOf = (sender: Sender): string => senderAddress(sender, trustedProxies);
  return async (secret, sender) => {
    const waitMs = failures.waitMs(() => keyOf(sender));
    if (waitMs > 0 && !valid.has(digestOf(secret))) throw tooManyFailures(waitMs, tooManyTokens);
    const caller = await authenticate(secret, () => addressOf(sender));
    if (caller === null && secret !== "") failures.count(keyOf(sender));
    // Also while no address has failed: guesses must not shut out those behind the same address.
    if (caller !== null) valid.set(digestOf(secret), true);
    return caller;
  };
}

function digestOf(secret: string): string {
  return hash("sha256", secret, "base64");
}

function tooManyTokens(seconds: number): string {
  return `Too many tokens from your address were not valid. Try again in ${seconds} s with one that is.`;
}
