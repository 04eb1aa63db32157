/** The limit of notifications after a commit: one NOTIFY, whose listener sends it on to every WebSocket. */
import { createServer } from "node:http";
import { Client } from "pg";
import { WebSocketServer } from "ws";
import { nowUs } from "../streams/messages.ts";
import { given, serve, send } from "../streams/serve.ts";

const { connection } = given();
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const [speaker, listener] = [new Client(connection), new Client(connection)];
await Promise.all([speaker.connect(), listener.connect()]);
await speaker.query("set synchronous_commit = off");
listener.on("notification", ({ payload }) => {
  for (const socket of sockets.clients) socket.send(payload ?? "");
});
await listener.query("listen bench");
serve(server, () => {
  const at = nowUs();
  void speaker.query("select pg_notify('bench', 'RunChanged run_00000000000000000000000001')");
  send({ type: "committed", at });
});
