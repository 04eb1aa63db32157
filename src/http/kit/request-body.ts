import type { IncomingMessage } from "node:http";

/** Reads a body whose announced length was checked; Node's parser holds the client to it. null if the client is gone. */
export function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const arrived = request.complete ? readArrived(request) : null;
  return arrived === null ? readStream(request) : Promise.resolve(arrived);
}

/** Takes a body that has arrived as a whole while the token was looked up, without the events of a stream. */
function readArrived(request: IncomingMessage): Buffer | null {
  const body: unknown = request.read();
  return Buffer.isBuffer(body) ? body : null;
}

function readStream(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.once("end", () => resolve(pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)));
    request.once("error", () => resolve(null));
    request.once("close", () => resolve(null));
  });
}
