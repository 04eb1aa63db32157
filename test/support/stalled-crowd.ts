// A process of readers that never read: it is sent where and how many, says "stalled", and stays until it is killed.
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

/** false: the connection was closed before it was of use; a busy server does that. */
async function open({ url, token, run }: Order): Promise<boolean> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  socket.on("error", () => undefined);
  const closed = new Promise<false>((resolve) => socket.once("close", () => resolve(false)));
  const happens = (event: "open" | "message"): Promise<boolean> =>
    Promise.race([closed, new Promise<true>((resolve) => socket.once(event, () => resolve(true)))]);
  if (!(await happens("open"))) return false;
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } }));
  if (!(await happens("message"))) return false;
  socket.pause();
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: QUERY, variables: { id: run } } }));
  return true;
}

process.on("message", (order: Order) => {
  let rest = order.count;
  const some = Array.from({ length: AT_ONCE }, async () => {
    while (rest > 0) {
      rest -= 1;
      if (!(await open(order))) rest += 1;
    }
  });
  void Promise.all(some).then(() => process.send?.("stalled"));
});
process.on("disconnect", () => process.exit());
