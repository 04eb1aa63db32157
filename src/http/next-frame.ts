import type { Duplex } from "node:stream";
import type { ExecutionResult } from "graphql";

const TEXT_FRAME = 0x81;

/** What comes before a result in the message that carries it, which only the id of the operation makes different. */
export function nextHead(id: string): string {
  return `{"id":${JSON.stringify(id)},"type":"next","payload":`;
}

/** A result as it stands in the message, with the end of the message: the same bytes for everybody. */
export function toPayload(result: ExecutionResult): Buffer {
  return Buffer.from(`${JSON.stringify(result)}}`);
}

/**
 * Writes the two parts of a message as one frame of a WebSocket, past the library, which would take a text and encode
 * it for each client. It must not compress, and must be open: what it writes itself stands before or behind the frame.
 */
export function writeFrame(wire: Duplex, head: string, payload: Buffer, onSent: () => void): void {
  const headLength = Buffer.byteLength(head);
  const length = headLength + payload.length;
  const lead = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const start = Buffer.allocUnsafe(lead + headLength);
  start[0] = TEXT_FRAME;
  start[1] = lead === 2 ? length : lead === 4 ? 126 : 127;
  if (lead === 4) start.writeUInt16BE(length, 2);
  if (lead === 10) start.writeBigUInt64BE(BigInt(length), 2);
  start.write(head, lead);
  wire.cork();
  wire.write(start);
  wire.write(payload, onSent);
  wire.uncork();
}
