/** A proxy that ends TLS in front of a server, with a certificate that it has signed itself. */
import { hash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request as send } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

const read = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");

export interface TlsProxy extends AsyncDisposable {
  /** Host and port. */
  readonly address: string;
  /** SHA-256 of its public key, by which a browser is told to trust it. */
  readonly keyHash: string;
}

/** Starts it before the server at `url`. It names `client` as the address of every client. */
export async function startTlsProxy(url: string, client: string): Promise<TlsProxy> {
  const { hostname, port } = new URL(url);
  const certificate = read("certificate");
  const forward = ({ method, url: path, headers }: IncomingMessage) =>
    send({ hostname, port, method, path, headers: { ...headers, "x-forwarded-for": client } });
  const proxy = createServer({ key: read("key"), cert: certificate }, (request, response) => {
    const forwarded = forward(request);
    forwarded.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  proxy.on("upgrade", (request, socket) => {
    const forwarded = forward(request);
    forwarded.on("upgrade", (answer, upstream) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
      upstream.on("error", () => socket.destroy()).pipe(socket);
      socket.on("error", () => upstream.destroy()).pipe(upstream);
    });
    forwarded.on("error", () => socket.destroy());
    forwarded.end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address: AddressInfo | string | null = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const publicKey = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return {
    address: `127.0.0.1:${address.port}`,
    keyHash: hash("sha256", publicKey, "base64"),
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
