/** An identity provider that answers with any id token: what the library oidc-provider would never send. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";

export interface LyingProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Makes the id token of the next exchange from the claims that would be right. */
  answer: (claims: Claims) => Promise<string>;
  /** Signs as the provider does. */
  sign(claims: object, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** The public key, as its document has it. */
  readonly publicKey: object;
  /** Signs with another key from now on. */
  rollOver(): Promise<void>;
  /** The claims of a right answer to an attempt with this nonce. */
  claims(nonce: string): Claims;
  /** How the client has sent its secret. */
  readonly secrets: string[];
  /** Parts of the description that are different. */
  readonly description: Record<string, unknown>;
}

function fail(): never {
  throw new Error("The provider has no key.");
}

export type Claims = Record<string, unknown> & { sub: string };

export const CLIENT = { clientId: "holdpoint", clientSecret: "a-secret-of-the-tests-0123456789" };

export async function startLyingProvider(): Promise<LyingProvider> {
  const made: { kid: string; key: CryptoKey; publicKey: object }[] = [];
  const addKey = async (): Promise<void> => {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = `key-${made.length}`;
    made.push({ kid, key: privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } });
  };
  await addKey();
  const current = () => made.at(-1) ?? fail();
  let nonce = "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://provider");
    if (pathname === "/.well-known/openid-configuration")
      return send(response, { ...described, ...provider.description });
    if (pathname === "/jwks") return send(response, { keys: [current().publicKey] });
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      const form = new URLSearchParams(body);
      const isBasic = request.headers.authorization?.startsWith("Basic ") === true;
      provider.secrets.push(isBasic ? "header" : form.has("client_secret") ? "body" : "none");
      nonce = form.get("code") ?? "";
      void provider
        .answer(provider.claims(nonce))
        .then((idToken) => send(response, { access_token: "at", token_type: "Bearer", id_token: idToken }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const described = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
  };
  const provider: LyingProvider = {
    issuer,
    answer: (claims) => provider.sign(claims),
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", kid: current().kid, ...header })
        .sign(current().key),
    get publicKey() {
      return current().publicKey;
    },
    rollOver: addKey,
    claims: (wanted) => {
      const now = Math.floor(Date.now() / 1000);
      return { iss: issuer, sub: "ann", aud: CLIENT.clientId, exp: now + 300, iat: now, nonce: wanted };
    },
    secrets: [],
    description: {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
