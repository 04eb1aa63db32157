/** Git hosts that do not do as they should, over https. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** How a host answers any request. */
export type OddAnswer = (response: ServerResponse, request: IncomingMessage) => void;

export interface OddHost extends AsyncDisposable {
  url: string;
  /** Requests that are open. */
  open: () => number;
  /** How many requests there were. */
  count: () => number;
}

const file = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)));

export async function startOddHost(answer: OddAnswer): Promise<OddHost> {
  let open = 0;
  let count = 0;
  const server = createServer({ key: file("key"), cert: file("certificate") }, (request, response) => {
    open += 1;
    count += 1;
    response.once("close", () => (open -= 1));
    answer(response, request);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open,
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RESULT = { "content-type": "application/x-git-upload-pack-result" };
const DRIBBLE_MS = 200;

export const ODD_ANSWERS = {
  silent: () => undefined,
  /** A byte at a time, and never the last one. */
  dribbling: (response) => {
    response.writeHead(200, RESULT);
    const timer = setInterval(() => response.write("0"), DRIBBLE_MS);
    response.once("close", () => clearInterval(timer));
  },
  failing: (response) => response.writeHead(500).end("<html>canary of a stack trace</html>"),
  garbage: (response) => response.writeHead(200, RESULT).end(Buffer.alloc(4096, 0xff)),
  /** A page of another program. */
  page: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>"),
  inside: (response, { url }) => response.writeHead(302, { location: `https://127.0.0.1:1${url}` }).end(),
  metadata: (response, { url }) => response.writeHead(302, { location: `http://169.254.169.254${url}` }).end(),
} as const satisfies Record<string, OddAnswer>;
