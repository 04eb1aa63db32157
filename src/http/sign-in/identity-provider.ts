import { createRemoteJWKSet, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import * as oidc from "openid-client";
import type { ProviderLogout } from "../../domain/sign-in/sign-ins.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { SIGNATURE_ALGORITHMS } from "../../model/kit/signature-algorithms.ts";
import type { ProfileSettings, ReadProfile } from "../../model/people/profile.ts";
import { profileOf } from "../../model/people/profile.ts";
import type { Site } from "../kit/site.ts";

/** The settings of an identity provider that speaks OpenID Connect. */
export interface ProviderSettings extends ProfileSettings {
  /** The address under which the provider describes itself. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Names with blanks between them: "openid profile email". */
  scopes: string;
  /** The group whose people administer the installation; `null`: no group does. */
  adminGroup: string | null;
}

/** The facts that a browser keeps while the person is at the provider. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  /** The path to which the person returns. */
  returnTo: string;
  startedAt: string;
  /** Whether the person must prove again to be present. */
  fresh: boolean;
}

/** A person whom the provider has identified. */
export interface Identified {
  profile: ReadProfile;
  providerSession: string | null;
  presentAt: string | null;
}

export interface IdentityProvider {
  /** The host that people know it by. */
  readonly host: string;
  readonly adminGroup: string | null;
  /** Returns the address of the provider at which the person signs in. */
  begin(attempt: Attempt): Promise<string>;
  /** Verifies the answer with which the browser came back. Throws if anything about it is not as it was asked. */
  finish(answer: URL, attempt: Attempt): Promise<Identified>;
  /** Verifies a logout token. */
  verifyLogout(token: string): Promise<ProviderLogout>;
}

const TIMEOUT_S = 10;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const LOGOUT_AGE_S = 300;
/** The difference between the clocks of the provider and of this server. */
const SKEW_MS = 60_000;
/** An id token is made when its code is exchanged, which is now. */
const ID_TOKEN_AGE_S = 300;

/** Speaks to a provider by the authorization code flow with PKCE. It is asked for its description when it is needed. */
export function createIdentityProvider(
  settings: ProviderSettings,
  { site, clock }: { site: Site; clock: () => Date },
): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const redirectUri = `${site.origin}/auth/callback`;
  let discovered: Promise<oidc.Configuration> | null = null;
  let keys: JWTVerifyGetKey | null = null;

  /** A failure is not remembered: the provider may be away for a while. */
  function discover(): Promise<oidc.Configuration> {
    const execute = issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [];
    const client = { client_secret: clientSecret, [oidc.clockTolerance]: SKEW_MS / 1000 };
    discovered ??= oidc
      .discovery(new URL(issuer), clientId, client, authenticateClient, { execute, timeout: TIMEOUT_S })
      .catch((error: unknown) => {
        discovered = null;
        throw error;
      });
    return discovered;
  }

  /** The secret in the body, unless the provider takes it in a header alone. */
  function authenticateClient(...asked: Parameters<oidc.ClientAuth>): void {
    const [{ token_endpoint_auth_methods_supported: methods }] = asked;
    const inBody = methods?.includes("client_secret_post") === true;
    (inBody ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret))(...asked);
  }

  /** Gets keys when a token needs them, and again when it names one that is not among them. */
  async function keysOfProvider(): Promise<JWTVerifyGetKey> {
    const { jwks_uri: jwksUri } = (await discover()).serverMetadata();
    if (jwksUri === undefined) throw new Error("The provider has no keys.");
    return (keys ??= createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_S * 1000 }));
  }

  /**
   * Verifies the signature of an id token. The library leaves it out, because the token comes from the provider over
   * TLS: a proxy that ends TLS on the way could then sign anyone in.
   */
  async function verifyIdToken(token: string, { iss }: { iss: string }): Promise<void> {
    const { payload } = await jwtVerify(token, await keysOfProvider(), {
      issuer: iss,
      audience: clientId,
      algorithms: SIGNATURE_ALGORITHMS,
      // Refuses one that is older, or was issued in the future.
      maxTokenAge: ID_TOKEN_AGE_S,
      clockTolerance: SKEW_MS / 1000,
    });
    const { azp } = payload;
    if (azp !== undefined && azp !== clientId) throw new Error("The id token is for another client.");
  }

  async function claimsOf(config: oidc.Configuration, answer: URL, { verifier, state, nonce }: Attempt) {
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error("The provider sent no id token.");
    await verifyIdToken(tokens.id_token, claims);
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    // Many providers leave groups and names out of the id token.
    return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  }

  return {
    host: new URL(issuer).host,
    adminGroup: settings.adminGroup,
    async begin({ state, nonce, verifier, fresh }) {
      const parameters = {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        // With an age the provider sends `auth_time`: else a person who has just signed in would not count as present.
        max_age: fresh ? "0" : String(LIMITS.sessionMs / 1000),
      };
      return oidc.buildAuthorizationUrl(await discover(), parameters).href;
    },
    async finish(answer, attempt) {
      const claims = await claimsOf(await discover(), answer, attempt);
      const { auth_time: authTime, sid } = claims;
      const presentAt = typeof authTime === "number" ? new Date(authTime * 1000) : null;
      if (attempt.fresh) requireFresh(presentAt, attempt);
      const now = clock();
      return {
        profile: profileOf(claims, settings),
        providerSession: typeof sid === "string" && sid !== "" ? sid : null,
        presentAt: presentAt === null ? null : (presentAt < now ? presentAt : now).toISOString(),
      };
    },
    async verifyLogout(token) {
      const { issuer: signer } = (await discover()).serverMetadata();
      const checks = {
        issuer: signer,
        audience: clientId,
        algorithms: SIGNATURE_ALGORITHMS,
        maxTokenAge: LOGOUT_AGE_S,
      };
      const { payload } = await jwtVerify(token, await keysOfProvider(), {
        ...checks,
        currentDate: clock(),
        clockTolerance: SKEW_MS / 1000,
      });
      return logoutOf(payload, signer);
    },
  };
}

/** Requires that the person signed in after the attempt began: a provider may ignore `max_age`. */
function requireFresh(presentAt: Date | null, { startedAt }: Attempt): void {
  if (presentAt === null || presentAt.getTime() < Date.parse(startedAt) - SKEW_MS) {
    throw new Error("The provider did not ask the person to sign in again.");
  }
}

/** Reads a verified logout token. An id token is none: it has a nonce, and no event. */
function logoutOf({ sub, sid, nonce, events, jti }: JWTPayload, issuer: string): ProviderLogout {
  const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events && nonce === undefined;
  if (typeof jti !== "string" || jti === "") throw new Error("The logout token has no jti.");
  const subject = typeof sub === "string" && sub !== "" ? sub : null;
  const providerSession = typeof sid === "string" && sid !== "" ? sid : null;
  if (!isLogout) throw new Error("The token is no logout token.");
  if (subject === null && providerSession === null) throw new Error("The logout token names neither sub nor sid.");
  return { issuer, subject, providerSession, tokenId: jti };
}
