/** A target of webhooks on loopback: it keeps what it is sent, and answers as a test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Data } from "./api.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  message: { type: string; timestamp: string; data: Data };
}

export type Answer = (response: ServerResponse, received: Received) => void;

export interface WebhookTarget extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Requests that are open now, and the most there were. */
  readonly open: { now: number; most: number };
  /** How the next requests are answered, one by one, and with the last one from then on; 200 at first. */
  answer(...answers: [Answer, ...Answer[]]): void;
  /** The next request that nobody has taken yet. */
  next(): Promise<Received>;
}

export const status =
  (code: number, text = "", headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end(text);
  };

/** What comes one by one, for whoever waits for it. */
export interface Arrivals<T> {
  push(item: T): void;
  next(): Promise<T>;
}

export function createArrivals<T>(): Arrivals<T> {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    push(item) {
      const taker = waiting.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    next() {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item);
    },
  };
}

export async function startWebhookTarget(port = 0): Promise<WebhookTarget> {
  const received: Received[] = [];
  const arrivals = createArrivals<Received>();
  const open = { now: 0, most: 0 };
  let answers: Answer[] = [status(200)];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on("close", () => (open.now -= 1));
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString();
      const one = { path: request.url ?? "", headers: request.headers, body, message: JSON.parse(body) };
      received.push(one);
      (answers.length > 1 ? answers.shift() : answers[0])?.(response, one);
      arrivals.push(one);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: found } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${found}`,
    port: found,
    received,
    open,
    answer(...next) {
      answers = next;
    },
    next: () => arrivals.next(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
