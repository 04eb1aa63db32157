/** A request and its answer in front of the raw store, and nothing else: no token, no order, no limits. */
import { createServer, type IncomingMessage } from "node:http";
import { encodeTexts } from "../../src/persistence/log/log-codec.ts";
import { insertRaw } from "../logs/raw-store.ts";
import { listen, openPool } from "./listen.ts";

const pool = openPool();

async function store(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const asked = new URL(request.url ?? "/", "http://bare").searchParams;
  const [firstLine, lastLine] = [Number(asked.get("first")), Number(asked.get("last"))];
  const body = encodeTexts([Buffer.concat(pieces)]);
  await insertRaw(pool, { log: asked.get("log") ?? "", firstLine, lastLine, body });
  return JSON.stringify({ nextLine: lastLine + 1 });
}

listen(
  createServer((request, response) => {
    store(request).then(
      (text) => response.writeHead(200, { "content-length": Buffer.byteLength(text) }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }),
);
