// Follows a run to its end, whatever happens to the connection: node graphql-ws.mjs RUN_ID [CURSOR]
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";

const { HOLDPOINT_URL = "http://127.0.0.1:4000", HOLDPOINT_TOKEN = "" } = process.env;
const [runId, startCursor] = process.argv.slice(2);

const client = createClient({
  url: `${HOLDPOINT_URL.replace(/^http/, "ws")}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization: `Bearer ${HOLDPOINT_TOKEN}` },
  // The library's own retry would subscribe with the first cursor again; the loop below uses the last one.
  retryAttempts: 0,
});

const query = `subscription ($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    __typename
    ... on StreamItem { cursor }
    ... on RunSnapshot { run { status } }
    ... on RunStatusChanged { to reason }
    ... on CursorExpired { message }
  }
}`;

let after = startCursor;
for (let failures = 0; ; ) {
  try {
    for await (const { data, errors } of client.iterate({ query, variables: { runId, after } })) {
      // Errors of GraphQL come once more whenever they are asked for: they are no reason to try again.
      if (errors) fail(errors[0].message);
      failures = 0;
      const item = data.runEvents;
      if (item.__typename === "CursorExpired") {
        // What was missed cannot be had as events any more. Without a cursor comes the run as it is now.
        after = undefined;
        continue;
      }
      // First note the cursor, then look at the item: also those that this client does not know move on.
      after = item.cursor;
      const status = item.to ?? item.run?.status;
      if (status) console.log(`${status} ${after}`);
    }
    // The stream completes by itself after the event that ended the run, and after CursorExpired.
    if (after !== undefined) break;
  } catch (error) {
    // 4401: no valid token. 4403: not valid any more. A list: the subscription was refused.
    if (error.code === 4401 || error.code === 4403) fail("The token is not valid.");
    if (Array.isArray(error)) fail(error[0].message);
    failures += 1;
    await pause(Math.min(100 * 2 ** failures, 10_000));
  }
}
await client.dispose();

function fail(message) {
  console.error(message);
  process.exit(1);
}
