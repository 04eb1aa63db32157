import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";
import * as oidc from "openid-client";
import type { ProviderLogout } from "../../domain/sign-in/sign-ins.ts";
import type { Profile, ProfileSettings } from "../../model/people/profile.ts";
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
  profile: Profile;
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
/** Public-key algorithms: a secret that both sides know proves nothing about who signed. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const LOGOUT_AGE_S = 300;
/** The difference between the clocks of the provider and of this server. */
const SKEW_MS = 60_000;

/** Speaks to a provider by the authorization code flow with PKCE. It is asked for its description when it is needed. */
export function createIdentityProvider(
  settings: ProviderSettings,
  { site, clock }: { site: Site; clock: () => Date },
): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const redirectUri = `${site.origin}/auth/callback`;
  let discovered: Promise<oidc.Configuration> | null = null;
  let keys: ReturnType<typeof createRemoteJWKSet> | null = null;

  /** A failure is not remembered: the provider may be away for a while. */
  function discover(): Promise<oidc.Configuration> {
    const execute = issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [];
    discovered ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_S })
      .catch((error: unknown) => {
        discovered = null;
        throw error;
      });
    return discovered;
  }

  async function claimsOf(config: oidc.Configuration, answer: URL, { verifier, state, nonce }: Attempt) {
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("The provider sent no id token.");
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
        ...(fresh && { max_age: "0" }),
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
      const { jwks_uri: jwksUri, issuer: signer } = (await discover()).serverMetadata();
      if (jwksUri === undefined) throw new Error("The provider has no keys.");
      keys ??= createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_S * 1000 });
      const checks = { issuer: signer, audience: clientId, algorithms: ALGORITHMS, maxTokenAge: LOGOUT_AGE_S };
      const { payload } = await jwtVerify(token, keys, {
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
function logoutOf({ sub, sid, nonce, events }: JWTPayload, issuer: string): ProviderLogout {
  const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events && nonce === undefined;
  const subject = typeof sub === "string" && sub !== "" ? sub : null;
  const providerSession = typeof sid === "string" && sid !== "" ? sid : null;
  if (!isLogout) throw new Error("The token is no logout token.");
  if (subject === null && providerSession === null) throw new Error("The logout token names neither sub nor sid.");
  return { issuer, subject, providerSession };
}
