/** Subscriptions of mercurius, with the emitter that it brings. */
import fastify from "fastify";
import mercurius from "mercurius";
import { announce, given, obey } from "../streams/serve.ts";
import { createBatches, STREAM_TYPES } from "./streams-schema.ts";

const { runIds } = given();
const topicOf = (runId: string): string => `log.${runId}`;
const app = fastify();
await app.register(mercurius, {
  schema: STREAM_TYPES,
  jit: 1,
  subscription: true,
  resolvers: {
    Subscription: {
      runLog: {
        subscribe: (_root: unknown, { runId }: { runId: string }, { pubsub }: mercurius.MercuriusContext) =>
          pubsub.subscribe(topicOf(runId)),
      },
    },
  },
});
const next = createBatches();
await app.listen({ host: "127.0.0.1", port: 0, backlog: 4096 });
obey(() => {
  const runLog = next();
  for (const id of runIds) app.graphql.pubsub.publish({ topic: topicOf(id), payload: { runLog } });
});
announce(app.server);
