/** graphql-ws as it comes, with graphql-js and Node's own emitter: each subscription is executed alone. */
import { EventEmitter, on } from "node:events";
import { createServer } from "node:http";
import { buildSchema } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { given, serve } from "../streams/serve.ts";
import { type Batch, createBatches, STREAM_TYPES } from "./streams-schema.ts";

const { runIds } = given();
const emitter = new EventEmitter().setMaxListeners(0);
const next = createBatches();

async function* logOf(runId: string): AsyncGenerator<{ readonly runLog: Batch }> {
  for await (const [runLog] of on(emitter, runId)) yield { runLog };
}

const schema = buildSchema(STREAM_TYPES);
const runLog = schema.getSubscriptionType()?.getFields()["runLog"];
if (runLog !== undefined) runLog.subscribe = (_root: unknown, { runId }: { runId: string }) => logOf(runId);

const server = createServer();
useServer({ schema }, new WebSocketServer({ server, path: "/graphql", perMessageDeflate: false }));
serve(server, () => {
  const batch = next();
  for (const id of runIds) emitter.emit(id, batch);
});
