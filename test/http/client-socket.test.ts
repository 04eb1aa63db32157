/** A wait until everything was sent ends, for every kind of last message. */
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  ClientSocket,
  type Connection,
  createConnection,
  drained,
  isDrained,
  sendNext,
  wake,
} from "../../src/http/socket/client-socket.ts";

/** More than the kernel takes from one who is not read. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);
const server = createServer();
const accepting = new WebSocketServer({ noServer: true, WebSocket: ClientSocket });
const clients: WebSocket[] = [];
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  for (const client of clients) client.terminate();
  server.close();
});

/** A socket with more to send than its client reads; the client does not read yet. */
async function behind(): Promise<{ connection: Connection; client: WebSocket }> {
  const opened = Promise.withResolvers<Connection>();
  server.once("upgrade", (request, wire, head) =>
    accepting.handleUpgrade(request, wire, head, (socket) =>
      opened.resolve(createConnection(socket, wire, request, "r")),
    ),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  const client = new WebSocket(`ws://127.0.0.1:${address.port}`);
  clients.push(client);
  await once(client, "open");
  client.pause();
  const connection = await opened.promise;
  connection.socket.on("close", () => wake(connection));
  connection.socket.send(LARGE);
  return { connection, client };
}

it("by a ping whose sending is not reported", async () => {
  const { connection, client } = await behind();
  const waits = [drained(connection), drained(connection)];
  connection.socket.ping();
  connection.socket.send(LARGE);
  connection.socket.ping();
  expect(isDrained(connection)).toBe(false);
  client.resume();
  await Promise.all(waits);
  expect(isDrained(connection)).toBe(true);
  await drained(connection);
});

it("also where it was written past the library, which counts it", async () => {
  const { connection, client } = await behind();
  client.resume();
  await drained(connection);
  client.pause();
  const observed = { facts: { requestId: "r" }, startedAt: 0, streaming: true };
  const operation = { connection, id: "1", label: "1", observed, reader: null, counted: null };
  sendNext(operation, { result: LARGE, frame: null });
  expect(connection.socket.bufferedAmount).toBeGreaterThan(0);
  const waits = drained(connection);
  client.resume();
  await waits;
  expect(isDrained(connection)).toBe(true);
});

it("by the end of a socket that is closed before", async () => {
  const { connection, client } = await behind();
  const waits = [drained(connection)];
  connection.socket.close();
  waits.push(drained(connection));
  client.terminate();
  await Promise.all(waits);
  expect(connection.socket.readyState).toBe(WebSocket.CLOSED);
});
