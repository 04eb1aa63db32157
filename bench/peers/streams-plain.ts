/** The limit of streams: no GraphQL and no authentication. A message is made once and sent to all clients of a run. */
import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { CURSOR, LINES, linesAfter } from "../streams/event.ts";
import { given, serve } from "../streams/serve.ts";

const { runIds } = given();
const rooms = new Map<string, Set<WebSocket>>(runIds.map((id) => [id, new Set()]));
let length = 0;

function publish(): void {
  for (const room of rooms.values()) {
    const payload = { data: { runLog: { cursor: CURSOR, lines: linesAfter(length) } } };
    const id = "00000000-0000-4000-8000-000000000000";
    const message = Buffer.from(JSON.stringify({ id, type: "next", payload }));
    for (const socket of room) socket.send(message, { binary: false });
  }
  length += LINES;
}

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.on("message", (data) => {
    const message = JSON.parse(Buffer.isBuffer(data) ? data.toString() : "");
    if (message.type === "connection_init") socket.send('{"type":"connection_ack"}');
    if (message.type !== "subscribe") return;
    const room = rooms.get(message.payload.variables.id);
    room?.add(socket);
    socket.once("close", () => room?.delete(socket));
  });
});
serve(server, publish);
