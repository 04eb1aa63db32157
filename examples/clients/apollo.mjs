// Comments on a run, if a text is given, and follows it to its end, with Apollo: node apollo.mjs RUN_ID [TEXT]
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import possibleTypes from "../../schema/possible-types.json" with { type: "json" };
import { PATIENT, resuming } from "./resuming.mjs";

const { HOLDPOINT_URL = "http://127.0.0.1:4000", HOLDPOINT_TOKEN = "" } = process.env;
const [runId, text] = process.argv.slice(2);
const authorization = `Bearer ${HOLDPOINT_TOKEN}`;

const socket = createClient({
  ...PATIENT,
  url: `${HOLDPOINT_URL.replace(/^http/, "ws")}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization },
});
// Queries and mutations go over HTTP, subscriptions over one WebSocket.
const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === "subscription",
    new GraphQLWsLink(resuming(socket)),
    new HttpLink({ uri: `${HOLDPOINT_URL}/graphql`, headers: { authorization } }),
  ),
  // Without its possible types, Apollo's cache drops what is selected on interfaces: cursors, and fields of errors.
  cache: new InMemoryCache(possibleTypes),
});

const RUN = gql`query ($runId: ID!) { run(id: $runId) { id number status } }`;
const COMMENT = gql`mutation ($runId: ID!, $text: String!) {
  commentOnRun(input: { runId: $runId, text: $text }) {
    ... on CommentOnRunSuccess { comment { id text } }
    ... on UserError { code message ... on InvalidInputError { issues { path message } } }
  }
}`;
const EVENTS = gql`subscription ($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    ... on StreamItem { cursor }
    ... on RunSnapshot { run { id status } }
    ... on RunStatusChanged { to }
  }
}`;

const { data } = await client.query({ query: RUN, variables: { runId } });
// A query gives null for what is not there, or may not be read.
if (!data.run) {
  console.error("The run does not exist, or you may not read it.");
  process.exit(1);
}
console.log(`run ${data.run.number} is ${data.run.status}`);

if (text !== undefined) {
  const { commentOnRun: result } = (await client.mutate({ mutation: COMMENT, variables: { runId, text } })).data;
  if (result.comment) console.log(`commented: ${result.comment.text}`);
  // The fields of a form find their faults in `issues`; for all else there are code and message.
  else
    for (const { path, message } of result.issues ?? [{ path: [result.code], message: result.message }]) {
      console.log(`${path.join(".")}: ${message}`);
    }
}

await new Promise((resolve, reject) => {
  client.subscribe({ query: EVENTS, variables: { runId } }).subscribe({
    next(result) {
      if (result.error) reject(result.error);
      const item = result.data?.runEvents;
      const status = item?.to ?? item?.run?.status;
      if (status) console.log(`${status} ${item.cursor}`);
    },
    error: reject,
    complete: resolve,
  });
});
client.stop();
await socket.dispose();
