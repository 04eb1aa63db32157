/** A real identity provider on loopback: the package oidc-provider, with its own pages for login and logout. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims of people, by the name with which they log in. */
  readonly people: Map<string, Record<string, unknown>>;
  readonly provider: Provider;
}

const NO_DISPATCHER = { dispatcher: undefined };

/** `origin`: that of Holdpoint, to which people return; `reached` says where an address of it is. */
export async function startIdentityProvider(
  origin: string,
  reached: (url: string) => string,
  more: Configuration = {},
): Promise<TestProvider> {
  const people = new Map<string, Record<string, unknown>>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  const issuer = `http://localhost:${address.port}`;
  const clientId = "holdpoint";
  const clientSecret = "a-secret-of-the-tests-0123456789";
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/auth/callback`],
        backchannel_logout_uri: `${origin}/auth/backchannel`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    // Its own dispatcher refuses addresses of this machine.
    fetch: (url, options) =>
      fetch(reached(url instanceof Request ? url.url : url.toString()), { ...options, ...NO_DISPATCHER }),
    findAccount: (_context, id) => {
      const claims = people.get(id);
      return claims === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
    // Nobody is asked for consent.
    async loadExistingGrant(context) {
      const { client, session, params } = context.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new context.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(typeof params?.["scope"] === "string" ? params["scope"] : "openid");
      await grant.save();
      return grant;
    },
    cookies: { keys: ["of the tests"] },
    ...more,
  });
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    provider,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
