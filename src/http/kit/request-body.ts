import type { IncomingMessage } from "node:http";

/** Reads a body whose announced length was checked; Node's parser holds the client to it. null if the client is gone. */
export function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.once("end", () => resolve(pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)));
    request.once("error", () => resolve(null));
    request.once("close", () => resolve(null));
  });
}
