// Comments on a run, if a text is given, and follows it to its end, with urql: node urql.mjs RUN_ID [TEXT]
import { Client, fetchExchange, subscriptionExchange } from "@urql/core";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { PATIENT, resuming } from "./resuming.mjs";

const { HOLDPOINT_URL = "http://127.0.0.1:4000", HOLDPOINT_TOKEN = "" } = process.env;
const [runId, text] = process.argv.slice(2);
const authorization = `Bearer ${HOLDPOINT_TOKEN}`;

// Queries and mutations go over HTTP, subscriptions over one WebSocket.
const socket = createClient({
  ...PATIENT,
  url: `${HOLDPOINT_URL.replace(/^http/, "ws")}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization },
});
const resumed = resuming(socket);
const client = new Client({
  url: `${HOLDPOINT_URL}/graphql`,
  preferGetMethod: false,
  fetchOptions: { headers: { authorization } },
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", variables }) => ({
        subscribe: (sink) => ({ unsubscribe: resumed.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

const RUN = `query ($runId: ID!) { run(id: $runId) { number status } }`;
const COMMENT = `mutation ($runId: ID!, $text: String!) {
  commentOnRun(input: { runId: $runId, text: $text }) {
    ... on CommentOnRunSuccess { comment { text } }
    ... on UserError { code message ... on InvalidInputError { issues { path message } } }
  }
}`;
const EVENTS = `subscription ($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    __typename
    ... on StreamItem { cursor }
    ... on RunSnapshot { run { status } }
    ... on RunStatusChanged { to }
  }
}`;

const { data, error } = await client.query(RUN, { runId }).toPromise();
// A query returns null for an object that does not exist or may not be read.
if (error || !data.run) {
  console.error(error?.message ?? "The run does not exist, or you may not read it.");
  process.exit(1);
}
console.log(`run ${data.run.number} is ${data.run.status}`);

if (text !== undefined) {
  const { commentOnRun: result } = (await client.mutation(COMMENT, { runId, text }).toPromise()).data;
  if (result.comment) console.log(`commented: ${result.comment.text}`);
  // The fields of a form find their faults in `issues`; for all else there are code and message.
  else
    for (const { path, message } of result.issues ?? [{ path: [result.code], message: result.message }]) {
      console.log(`${path.join(".")}: ${message}`);
    }
}

await new Promise((resolve) => {
  const subscription = client.subscription(EVENTS, { runId }).subscribe((event) => {
    if (event.error) console.error(event.error.message);
    // The stream has completed, after the event that ended the run: urql repeats the last result.
    if (!event.hasNext) {
      queueMicrotask(() => subscription.unsubscribe());
      resolve();
      return;
    }
    const item = event.data?.runEvents;
    const status = item?.to ?? item?.run?.status;
    if (status) console.log(`${status} ${item.cursor}`);
  });
});
await socket.dispose();
