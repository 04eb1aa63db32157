/** The process behind load.ts. */
import { connect, type Socket } from "node:net";
import type { LoadOptions, LoadReply } from "./load-messages.ts";
import { percentile } from "./statistics.ts";

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const SHOWN_BYTES = 500;

interface Progress {
  next: number;
  bytes: number;
  readonly latencies: number[];
  isOver: boolean;
}

function requestsOf({ url, path, headers, bodies }: LoadOptions): Buffer[] {
  const host = new URL(url).host;
  const lines = Object.entries({ host, "content-type": "application/json", accept: "application/json", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return bodies.map((body) =>
    Buffer.from(`POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
}

/** Where the body of the first answer begins and ends; null: more is to come. */
function findAnswer(data: Buffer): { readonly start: number; readonly end: number } | null {
  const headEnd = data.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const head = data.toString("latin1", 0, headEnd).toLowerCase();
  const start = headEnd + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return data.length < end ? null : { start, end };
  }
  if (!data.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return null;
  return { start: data.indexOf("\r\n", start) + 2, end: data.length };
}

function drive(socket: Socket, requests: readonly Buffer[], expects: Buffer, progress: Progress): Promise<void> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      const request = requests[progress.next++ % requests.length];
      if (request !== undefined) socket.write(request);
    };
    socket.setNoDelay(true);
    socket.on("connect", send);
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      const data = pieces.length === 1 ? piece : Buffer.concat(pieces);
      pieces = [data];
      const answer = findAnswer(data);
      if (answer === null) return;
      pieces = [];
      if (!data.subarray(answer.start, answer.start + expects.length).equals(expects)) {
        reject(new Error(`unexpected answer: ${data.toString("utf8", 0, SHOWN_BYTES)}`));
        return;
      }
      progress.latencies.push(performance.now() - sentAt);
      progress.bytes += answer.end - answer.start;
      if (progress.isOver) resolve();
      else send();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server has closed a connection")));
  });
}

async function load(options: LoadOptions): Promise<LoadReply> {
  const requests = requestsOf(options);
  const { hostname, port } = new URL(options.url);
  const progress: Progress = { next: 0, bytes: 0, latencies: [], isOver: false };
  const sockets = Array.from({ length: options.connections }, () => connect(Number(port), hostname));
  const started = performance.now();
  const timer = setTimeout(() => (progress.isOver = true), options.ms);
  try {
    const expects = Buffer.from(options.expects);
    await Promise.all(sockets.map((socket) => drive(socket, requests, expects, progress)));
    const seconds = (performance.now() - started) / 1000;
    const sorted = progress.latencies.toSorted((a, b) => a - b);
    const { bytes } = progress;
    return {
      type: "done",
      requests: sorted.length,
      seconds,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      bytes,
    };
  } catch (error) {
    return { type: "failed", message: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.removeAllListeners("close").destroy();
  }
}

process.on("message", (asked: LoadOptions) => {
  void load(asked).then((reply) => process.send?.(reply));
});
