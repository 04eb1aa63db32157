import type { IncomingMessage } from "node:http";

/** null: the client has gone. How much may come was checked against what it announced, and is held to by the parser. */
export function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.once("end", () => resolve(pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)));
    request.once("error", () => resolve(null));
    request.once("close", () => resolve(null));
  });
}
