// A process of readers that never read: it is sent where and how many, says "stalled", and stays until it is killed.
import { once } from "node:events";
import { WebSocket } from "ws";

const AT_ONCE = 20;
const QUERY =
  "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { cursor lines { number at phase attempt text } } } }";

interface Order {
  url: string;
  token: string;
  run: string;
  count: number;
}

async function open({ url, token, run }: Order): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } }));
  await once(socket, "message");
  socket.pause();
  socket.on("error", () => undefined);
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: QUERY, variables: { id: run } } }));
}

process.on("message", (order: Order) => {
  let rest = order.count;
  const some = Array.from({ length: AT_ONCE }, async () => {
    while (rest > 0) {
      rest -= 1;
      await open(order);
    }
  });
  void Promise.all(some).then(() => process.send?.("stalled"));
});
process.on("disconnect", () => process.exit());
