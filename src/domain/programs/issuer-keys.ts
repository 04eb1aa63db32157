/** Verifies tokens of other issuers by the keys that these publish (OpenID Connect Discovery). */
import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { LIMITS } from "../../model/kit/limits.ts";
import { SIGNATURE_ALGORITHMS } from "../../model/kit/signature-algorithms.ts";
import type { Deps } from "../kit/deps.ts";
import { fetchJson } from "../network/fetch-json.ts";

/** Verifies the signature and the times of a token. Throws if anything about it is wrong. */
export type VerifyToken = (token: string, issuer: string) => Promise<JWTPayload>;

const description = z.object({ issuer: z.string(), jwks_uri: z.string() });

interface Known {
  keys: Promise<JWTVerifyGetKey>;
  /** Until then the keys are not looked for again. */
  untilMs: number;
}

/** Only issuers that a trust rule names may be given: each is asked for its keys. */
export function createVerifyToken({ clock, issuerAllow }: Pick<Deps, "clock" | "issuerAllow">): VerifyToken {
  const known = new LRUCache<string, Known>({ max: LIMITS.issuersKnown });
  const read = (url: URL): Promise<unknown> => fetchJson(url, { ...LIMITS.issuerFetch, allowed: issuerAllow });

  async function discover(issuer: string): Promise<JWTVerifyGetKey> {
    const found = description.parse(
      await read(new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)),
    );
    if (found.issuer !== issuer) throw new Error("The issuer describes itself as another.");
    const url = new URL(found.jwks_uri);
    const isPlain = url.protocol === "http:" && issuer.startsWith("http:");
    if (url.protocol !== "https:" && !isPlain) throw new Error("The keys of the issuer are not at an https address.");
    return createRemoteJWKSet(url, {
      timeoutDuration: LIMITS.issuerFetch.timeoutMs,
      cooldownDuration: LIMITS.issuerRetryMs,
      cacheMaxAge: LIMITS.issuerKeysMs,
      [customFetch]: async (address) => Response.json(await read(new URL(address))),
    });
  }

  /** Concurrent tokens share a look-up. One that failed is repeated after a pause: strangers can ask for it. */
  function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const nowMs = clock().getTime();
    const found = known.get(issuer);
    if (found !== undefined && nowMs < found.untilMs) return found.keys;
    const entry: Known = { keys: discover(issuer), untilMs: nowMs + LIMITS.issuerKeysMs };
    entry.keys.catch(() => {
      entry.untilMs = nowMs + LIMITS.issuerRetryMs;
    });
    known.set(issuer, entry);
    return entry.keys;
  }

  return async (token, issuer) => {
    const now = clock();
    const { payload } = await jwtVerify(token, await keysOf(issuer), {
      issuer,
      algorithms: SIGNATURE_ALGORITHMS,
      currentDate: now,
      clockTolerance: LIMITS.clockSkewMs / 1000,
      requiredClaims: ["sub", "aud", "exp", "iat"],
    });
    // The library compares it only where a token has a largest age.
    if ((payload.iat ?? 0) * 1000 > now.getTime() + LIMITS.clockSkewMs)
      throw new Error("The token is from the future.");
    return payload;
  };
}
