import type { Duplex } from "node:stream";
import type { ExecutionResult } from "graphql";

const TEXT_FRAME = 0x81;
const BEFORE_ID = '{"id":"';
const BEHIND_ID = '","type":"next","payload":';
const END = "}";

/** A result for all who subscribe to it. Their messages differ by the id of their operation alone. */
export interface NextPayload {
  readonly result: Buffer;
  /** The message that was written last, as it stands on the wire; null: its bytes may not have left yet. */
  frame: NextFrame | null;
}

interface NextFrame {
  readonly bytes: Buffer;
  readonly idAt: number;
  readonly idBytes: number;
}

export function toPayload(result: ExecutionResult): NextPayload {
  return { result: Buffer.from(JSON.stringify(result)), frame: null };
}

/** An id as it stands in a message, between its quotes. */
export function labelOf(id: string): string {
  const label = JSON.stringify(id).slice(1, -1);
  // The slice would keep the text that it was cut from.
  return label === id ? id : Buffer.from(label).toString();
}

/**
 * Writes a result as one frame of a WebSocket, past the library, which would make a frame for each client. Here it is
 * made once for all whose ids are equally long, and the id of each is put in its place before it is written: that is
 * safe as long as the kernel has taken the bytes of the one before, and a sixth cheaper than what a plain broadcast
 * does, which hands the kernel two pieces for each client. The socket must be open and not compress: what the library
 * itself writes stands before or behind the frame.
 */
export function writeNext(wire: Duplex, label: string, payload: NextPayload): void {
  const idBytes = Buffer.byteLength(label);
  const frame = payload.frame?.idBytes === idBytes ? payload.frame : createFrame(payload.result, idBytes);
  frame.bytes.write(label, frame.idAt);
  wire.write(frame.bytes);
  // What waits is read from here when its turn comes.
  payload.frame = wire.writableLength === 0 ? frame : null;
}

function createFrame(result: Buffer, idBytes: number): NextFrame {
  const length = BEFORE_ID.length + idBytes + BEHIND_ID.length + result.length + END.length;
  const lead = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(lead + length);
  bytes[0] = TEXT_FRAME;
  bytes[1] = lead === 2 ? length : lead === 4 ? 126 : 127;
  if (lead === 4) bytes.writeUInt16BE(length, 2);
  if (lead === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  const idAt = lead + bytes.write(BEFORE_ID, lead);
  const behindId = idAt + idBytes;
  const resultAt = behindId + bytes.write(BEHIND_ID, behindId);
  result.copy(bytes, resultAt);
  bytes.write(END, resultAt + result.length);
  return { bytes, idAt, idBytes };
}
