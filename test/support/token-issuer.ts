/** An issuer of tokens on loopback, such as a CI system: it publishes its keys by OpenID Connect Discovery. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export interface TokenIssuer extends AsyncDisposable {
  readonly issuer: string;
  /** The paths that it was asked for. */
  readonly asked: string[];
  readonly publicKey: CryptoKey;
  /** Replaces an answer; null: its own. */
  answer: ((path: string, response: ServerResponse) => boolean) | null;
  /** Signs claims. Those that are undefined are left out. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs by a new key from now on, and publishes it. */
  rotate(): Promise<void>;
}

export async function startTokenIssuer(clock: () => Date): Promise<TokenIssuer> {
  let kid = 0;
  let pair = await generateKeyPair("RS256");
  const asked: string[] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The issuer has no port.");
  const issuer = `http://127.0.0.1:${address.port}`;

  async function serve({ url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(url);
    if (result.answer?.(url, response) === true) return;
    const keys: JWK[] = [{ ...(await exportJWK(pair.publicKey)), kid: `k${kid}`, alg: "RS256", use: "sig" }];
    const documents: Record<string, object> = {
      "/.well-known/openid-configuration": { issuer, jwks_uri: `${issuer}/keys` },
      "/keys": { keys },
    };
    const document = documents[url];
    response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  }

  const result: TokenIssuer = {
    issuer,
    asked,
    get publicKey() {
      return pair.publicKey;
    },
    answer: null,
    sign(claims, header = {}) {
      const now = Math.floor(clock().getTime() / 1000);
      const all = { iss: issuer, iat: now, exp: now + 300, ...claims };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      return new SignJWT(given).setProtectedHeader({ alg: "RS256", kid: `k${kid}`, ...header }).sign(pair.privateKey);
    },
    async rotate() {
      kid += 1;
      pair = await generateKeyPair("RS256");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return result;
}
