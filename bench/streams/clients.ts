/**
 * Many clients in one process. They subscribe as the graphql-ws client does, each with an id of its own, and count what
 * comes without reading it, so that they cost little. Arguments: port, first client, count, clients a run, run ids, token.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { LOG_QUERY } from "./event.ts";
import type { AskedOfClients, ClientsReply } from "./messages.ts";

const [port, first, count, perRun] = process.argv.slice(2, 6).map(Number);
const runIds: string[] = JSON.parse(process.argv[6] ?? "");
const token = process.argv[7] ?? "";
const CONNECTING = 50;
/** All that a socket has, each time. */
const CHUNK = Buffer.alloc(256 * 1024);
const END_OF_HEAD = "\r\n\r\n";
const PING = 9;
const TEXT = 1;
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const clients = count ?? 0;
/** The number of messages of each client. `ahead` counts clients with one more than all have. */
const messages = new Uint32Array(clients);
let ahead = 0;
let completed = 0;
let sample = "";

function send(message: ClientsReply): void {
  process.send?.(message);
}

/** A text of a client: masked, with a mask of zeros. */
function frame(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const header = text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0xfe, text.length >> 8, text.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), text]);
}

/** Goes from frame to frame and reads the heads alone. `onFrame` gets the bytes of a frame that have come. */
function counter(onFrame: (kind: number, text: Buffer) => void): (data: Buffer) => void {
  let skip = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const skipped = Math.min(skip, data.length);
      skip -= skipped;
      data = data.subarray(skipped);
      const length = data[1] ?? 0;
      const header = length === 126 ? 4 : length === 127 ? 10 : 2;
      if (data.length < header) break;
      const bytes = length === 126 ? data.readUInt16BE(2) : length === 127 ? Number(data.readBigUInt64BE(2)) : length;
      skip = header + bytes;
      onFrame((data[0] ?? 0) & 15, data.subarray(header, skip));
    }
    rest = data.length === 0 ? data : Buffer.from(data);
  };
}

function received(client: number, text: Buffer): void {
  if (sample === "") sample = text.toString();
  const count = (messages[client] ?? 0) + 1;
  messages[client] = count;
  if (count === completed + 1) ahead += 1;
  if (ahead < clients) return;
  completed += 1;
  ahead = messages.reduce((sum, each) => sum + (each > completed ? 1 : 0), 0);
  send({ type: "events", count: completed });
}

/** How many clients have how many messages. */
function tally(): [messages: number, clients: number][] {
  const found = new Map<number, number>();
  for (const count of messages) found.set(count, (found.get(count) ?? 0) + 1);
  return [...found].toSorted(([one], [other]) => one - other);
}

function open(client: number): Promise<void> {
  const index = (first ?? 0) + client;
  return new Promise((resolve, reject) => {
    let isUpgraded = false;
    let isAcknowledged = false;
    const count = counter((kind, text) => {
      if (kind === PING) socket.write(PONG);
      else if (kind !== TEXT) reject(new Error(`Frame ${kind}: ${text.toString("utf8", 2)}`));
      else if (isAcknowledged) received(client, text);
      else {
        isAcknowledged = true;
        const payload = { query: LOG_QUERY, variables: { id: runIds[Math.floor(index / (perRun ?? 1))] } };
        socket.write(frame({ id: randomUUID(), type: "subscribe", payload }), () => resolve());
      }
    });
    const callback = (bytes: number): boolean => {
      const data = CHUNK.subarray(0, bytes);
      if (isUpgraded) count(data);
      else {
        isUpgraded = true;
        socket.write(frame({ type: "connection_init", payload: { authorization: `Bearer ${token}` } }));
        // A ping may come with the head: who does not answer it is closed.
        count(data.subarray(data.indexOf(END_OF_HEAD) + END_OF_HEAD.length));
      }
      return true;
    };
    const socket = connect({ port: port ?? 0, host: "127.0.0.1", onread: { buffer: CHUNK, callback } });
    socket.on("error", reject);
    // No server has a reason to close one: fewer clients would be measured than reported.
    socket.on("close", () => {
      console.error(`Client ${index} was closed ${isAcknowledged ? "behind" : "before"} its acknowledgement.`);
      process.exit(1);
    });
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
        `sec-websocket-key: ${key}\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n`,
    );
  });
}

for (let opened = 0; opened < clients; opened += CONNECTING) {
  const size = Math.min(CONNECTING, clients - opened);
  await Promise.all(Array.from({ length: size }, (_, index) => open(opened + index)));
}
process.on("disconnect", () => process.exit());
process.on("message", (asked: AskedOfClients) =>
  send(asked === "sample" ? { type: "sample", message: sample } : { type: "tally", counts: tally() }),
);
send({ type: "ready" });
