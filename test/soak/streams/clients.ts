/** Many clients in one process: they subscribe, and count what comes without reading it, so that they cost little. */
import { randomBytes, randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { fakeId } from "../../support/fake-domain.ts";

const [port, first, count, perRun] = process.argv.slice(2).map(Number);
const QUERY = "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { cursor lines { number at text } } } }";
const CONNECTING = 50;
let messages = 0;

/** A text of a client: masked, with a mask of zeros. */
function frame(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const header = text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0xfe, text.length >> 8, text.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), text]);
}

/** Goes from frame to frame, and answers pings. */
function counter(socket: Socket): (chunk: Buffer) => void {
  let skip = 0;
  let rest = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const skipped = Math.min(skip, data.length);
      skip -= skipped;
      data = data.subarray(skipped);
      const length = data[1] ?? 0;
      const header = length === 126 ? 4 : length === 127 ? 10 : 2;
      if (data.length < header) break;
      skip =
        header + (length === 126 ? data.readUInt16BE(2) : length === 127 ? Number(data.readBigUInt64BE(2)) : length);
      if (((data[0] ?? 0) & 15) === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      else messages += 1;
    }
    rest = Buffer.from(data);
  };
}

function open(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, "127.0.0.1");
    socket.on("error", reject);
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
        `sec-websocket-key: ${key}\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n`,
    );
    socket.once("data", () => {
      socket.write(frame({ type: "connection_init", payload: { authorization: "Bearer x" } }));
      socket.once("data", () => {
        const id = fakeId("run", Math.floor(index / (perRun ?? 1)) + 1);
        const payload = { query: QUERY, variables: { id } };
        socket.write(frame({ id: randomUUID(), type: "subscribe", payload }), () => resolve());
        socket.on("data", counter(socket));
      });
    });
  });
}

for (let opened = 0; opened < (count ?? 0); opened += CONNECTING) {
  const size = Math.min(CONNECTING, (count ?? 0) - opened);
  await Promise.all(Array.from({ length: size }, (_, index) => open((first ?? 0) + opened + index)));
}
process.on("disconnect", () => process.exit());
process.on("message", () => process.send?.(messages));
process.send?.("ready");
