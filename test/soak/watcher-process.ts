/** Many readers of one stream in a process, each with a socket of its own. They count what comes, and read nothing of it. */
import { once } from "node:events";
import { WebSocket } from "ws";

export interface WatchersAsked {
  url: string;
  /** One reader for each, in turn. */
  tokens: readonly string[];
  readers: number;
  query: string;
  variables: Record<string, string>;
}

export type WatchersReply = { type: "items"; count: number } | { type: "broken"; reason: string };

/** The server gives each socket a few seconds for its first message. */
const CONNECTING = 6;
const send = (reply: WatchersReply): void => void process.send?.(reply);

async function open(asked: WatchersAsked): Promise<void> {
  const counts = new Uint32Array(asked.readers);
  let complete = 0;
  /** Of those readers that have more than all have. */
  let ahead = 0;
  const received = (reader: number): void => {
    counts[reader] = (counts[reader] ?? 0) + 1;
    if (counts[reader] === complete + 1) ahead += 1;
    if (ahead < counts.length) return;
    complete += 1;
    ahead = counts.reduce((sum, count) => sum + (count > complete ? 1 : 0), 0);
    send({ type: "items", count: complete });
  };
  let next = 0;
  const connect = async (): Promise<void> => {
    while (next < asked.readers) {
      const reader = next;
      next += 1;
      const socket = new WebSocket(asked.url, "graphql-transport-ws", { perMessageDeflate: false });
      socket.on("error", (error) => send({ type: "broken", reason: error.message }));
      socket.on("close", (code) => send({ type: "broken", reason: `closed with ${code}` }));
      await once(socket, "open");
      const token = asked.tokens[reader % asked.tokens.length] ?? "";
      socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } }));
      await once(socket, "message");
      socket.on("message", (data: Buffer) => {
        const text = data.toString("latin1", 0, 200);
        if (text.includes('"type":"next"')) received(reader);
        else if (text.includes('"type":"error"')) send({ type: "broken", reason: text });
      });
      const { query, variables } = asked;
      socket.send(JSON.stringify({ id: `${reader}`, type: "subscribe", payload: { query, variables } }));
    }
  };
  await Promise.all(Array.from({ length: CONNECTING }, connect));
}

process.on("message", (asked: WatchersAsked) => {
  open(asked).catch((error: unknown) => send({ type: "broken", reason: String(error) }));
});
process.on("disconnect", () => process.exit(0));
