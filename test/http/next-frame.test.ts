/** One buffer is written to many sockets with another id each time: also where a socket does not take all of it. */
import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { labelOf, toPayload, writeNext } from "../../src/http/socket/next-frame.ts";

const SMALL = { data: { text: 'ä line, and "quotes"' } };
/** More than the kernel takes from one who is not read. */
const LARGE = { data: { text: "x".repeat(8 * 1024 * 1024) } };

const CLOSING_BRACE = "}".charCodeAt(0);

/** The messages that are whole; each is one frame of text. */
function messagesOf(bytes: Buffer): unknown[] {
  const messages: unknown[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const lead = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = lead === 2 ? short : lead === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + lead + length;
    if (end > bytes.length) break;
    messages.push(JSON.parse(bytes.toString("utf8", at + lead, end)));
    at = end;
  }
  return messages;
}

describe("frames of results", () => {
  const server = createServer();
  const open: Socket[] = [];

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });

  /** The two ends of a connection; what arrives is kept as messages once it is read. */
  async function pair() {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("It does not listen.");
    const accepted = once(server, "connection");
    const client = connect(address.port, "127.0.0.1").pause();
    const [wire]: Socket[] = await accepted;
    if (wire === undefined) throw new Error("Nobody came.");
    open.push(client, wire);
    return { wire, client };
  }

  async function read(client: Socket, count: number): Promise<unknown[]> {
    const chunks: Buffer[] = [];
    for await (const chunk of client) {
      chunks.push(chunk);
      // A large message comes in many pieces: they are put together when its last byte is there.
      if (chunk.at(-1) !== CLOSING_BRACE) continue;
      const messages = messagesOf(Buffer.concat(chunks));
      if (messages.length === count) return messages;
    }
    throw new Error("The connection was closed.");
  }

  it("have the id of each, of any length and letters", async () => {
    const { wire, client } = await pair();
    const ids = ["1", "2", "22", 'a "quoted" one', "ü1", "a".repeat(40), "1".repeat(200), "3"];
    const payload = toPayload(SMALL);
    for (const id of ids) writeNext(wire, labelOf(id), payload);
    expect(await read(client, ids.length)).toEqual(ids.map((id) => ({ id, type: "next", payload: SMALL })));
  });

  it("stay as they are where a client does not read, and others get the same", async () => {
    const pairs = [await pair(), await pair(), await pair()];
    const results = [LARGE, SMALL];
    for (const payload of results.map(toPayload)) {
      for (const [index, { wire }] of pairs.entries()) writeNext(wire, `id-${index}`, payload);
    }
    expect(pairs.every(({ wire }) => wire.writableLength > SMALL.data.text.length)).toBe(true);
    for (const [index, { client }] of pairs.entries()) {
      const id = `id-${index}`;
      expect(await read(client, 2)).toEqual(results.map((payload) => ({ id, type: "next", payload })));
    }
  });

  it("are made once where everything leaves at once", async () => {
    const one = await pair();
    const two = await pair();
    const payload = toPayload(SMALL);
    writeNext(one.wire, "id-1", payload);
    const { frame } = payload;
    writeNext(two.wire, "id-2", payload);
    expect(frame).not.toBeNull();
    expect(payload.frame).toBe(frame);
    expect(await read(one.client, 1)).toEqual([{ id: "id-1", type: "next", payload: SMALL }]);
    expect(await read(two.client, 1)).toEqual([{ id: "id-2", type: "next", payload: SMALL }]);
  });
});
