/** Exchanges a token of another issuer for one of a machine user that trusts it (RFC 8693). */
import { decodeJwt, type JWTPayload } from "jose";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { coversToken, type TrustRule } from "../../model/people/trust-rule.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import { spendAttempt } from "../../persistence/people/identity-store.ts";
import {
  isIssuerTrusted,
  listTrustRulesOfIssuer,
  lockTrustRule,
  noteTrustRule,
} from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import { type IssuedToken, issueToken } from "./issue-token.ts";
import { createVerifyToken } from "./issuer-keys.ts";

/** A request to exchange a token. */
export interface ExchangeRequest {
  /** The token of the other issuer. */
  subjectToken: string;
  /** The machine user; `null`: the only one that trusts the token. */
  actorId: string | null;
  /** `null`: all that the machine user has. */
  permissions: readonly Permission[] | null;
}

/** The outcome. `reason` is for the log: a stranger would learn from it which rules there are. */
export type ExchangeResult =
  | { readonly token: IssuedToken }
  | { readonly error: "refused"; readonly reason: string }
  /** The token is trusted by several machine users. */
  | { readonly error: "ambiguous"; readonly actorIds: readonly string[] };

export type ExchangeToken = (request: ExchangeRequest) => Promise<ExchangeResult>;

/** The last instant that is written with four digits of a year. */
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31);

const refused = (reason: string): ExchangeResult => ({ error: "refused", reason });

/** Creates the exchange of one server, which remembers the keys of issuers. */
export function createTokenExchange(deps: Deps): ExchangeToken {
  const verify = createVerifyToken(deps);
  return async ({ subjectToken, actorId, permissions }) => {
    const issuer = issuerOf(subjectToken);
    if (issuer === null) return refused("The token is no JWT with an issuer.");
    // First, because an issuer that no rule names must not be asked for its keys.
    if (!(await isIssuerTrusted(deps.database, issuer))) return refused("No trust rule names the issuer.");
    const claims = await verify(subjectToken, issuer).catch((error: unknown) => describe(error));
    if (typeof claims === "string") return refused(claims);
    const audiences = [claims.aud ?? []].flat();
    const trusted = { issuer, audiences, actorId };
    const rules = await listTrustRulesOfIssuer(deps.database, trusted, LIMITS.trustRulesPerIssuer);
    const covering = rules.filter((one) => coversToken(one, claims));
    const [rule] = covering;
    if (rule === undefined) return refused(`No trust rule covers the subject ${JSON.stringify(claims.sub)}.`);
    const actorIds = [...new Set(covering.map((one) => one.actorId))];
    if (actorIds.length > 1) return { error: "ambiguous", actorIds };
    return give(deps, rule, { claims, digest: digestOf(subjectToken, claims) }, permissions);
  };
}

/** Reads the issuer of a token that is not verified yet. */
function issuerOf(token: string): string | null {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === "string" && iss.length <= LIMITS.issuerLength && !iss.includes("\0") ? iss : null;
  } catch {
    return null;
  }
}

/** Messages of the library name what is wrong, and repeat nothing of the token. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message || error.name : "The token could not be verified.";
}

/** A digest of what identifies a token: its id, or else all that is signed. The signature itself may have other forms. */
function digestOf(token: string, { iss, jti }: JWTPayload): Buffer {
  const identity =
    typeof jti === "string" && jti !== "" ? ["jti", iss, jti] : ["token", token.slice(0, token.lastIndexOf("."))];
  return hashSecret(JSON.stringify(["exchange", ...identity]));
}

function give(
  deps: Deps,
  { id, actorId }: TrustRule,
  { claims, digest }: { claims: JWTPayload; digest: Buffer },
  permissions: readonly Permission[] | null,
): Promise<ExchangeResult> {
  return deps.database.transaction(async (tx) => {
    // Locked: a rule that is being deleted gives nothing that its deletion would not find.
    const rule = await lockTrustRule(tx, id);
    const owner = rule === null ? null : await findEnabledActor(tx, actorId);
    if (rule === null || owner === null || !coversToken(rule, claims)) return refused("The trust rule has just ended.");
    const endsMs = Math.min((claims.exp ?? 0) * 1000 + LIMITS.clockSkewMs, LAST_INSTANT_MS);
    if (!(await spendAttempt(tx, digest, new Date(endsMs).toISOString()))) return refused("The token was used before.");
    const name = `${new URL(rule.issuer).host} ${claims.sub ?? ""}`;
    const asked = { actor: owner.actor, name, permissions, seconds: rule.maxSeconds };
    const token = await issueToken(tx, deps, asked, deps.clock());
    await noteTrustRule(tx, token.tokenId, id);
    return { token };
  });
}
