// Reads a run and follows it to its end, with urql: node urql.mjs RUN_ID
import { Client, fetchExchange, subscriptionExchange } from "@urql/core";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";

const { HOLDPOINT_URL = "http://127.0.0.1:4000", HOLDPOINT_TOKEN = "" } = process.env;
const [id] = process.argv.slice(2);
const authorization = `Bearer ${HOLDPOINT_TOKEN}`;

// Queries and mutations go over HTTP, subscriptions over one WebSocket.
const socket = createClient({
  url: `${HOLDPOINT_URL.replace(/^http/, "ws")}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization },
});
const client = new Client({
  url: `${HOLDPOINT_URL}/graphql`,
  preferGetMethod: false,
  fetchOptions: { headers: { authorization } },
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

const { data, error } = await client.query(`query ($id: ID!) { run(id: $id) { number status } }`, { id }).toPromise();
// A query gives null for what is not there, or may not be read.
if (error || !data.run) {
  console.error(error?.message ?? "There is no such run.");
  process.exit(1);
}
console.log(`run ${data.run.number} is ${data.run.status}`);

const events = `subscription ($id: ID!) {
  runEvents(runId: $id) {
    ... on StreamItem { cursor }
    ... on RunSnapshot { run { status } }
    ... on RunStatusChanged { to }
  }
}`;
await new Promise((resolve) => {
  const source = client.subscription(events, { id });
  const subscription = source.subscribe((result) => {
    if (result.error) console.error(result.error.message);
    // The stream has completed, after the event that ended the run: urql says the last result once more.
    if (!result.hasNext) {
      queueMicrotask(() => subscription.unsubscribe());
      resolve();
      return;
    }
    const item = result.data?.runEvents;
    const status = item?.to ?? item?.run?.status;
    if (status) console.log(status);
  });
});
await socket.dispose();
