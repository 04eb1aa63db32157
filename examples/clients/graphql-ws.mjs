// Follows a run to its end, also when the connection breaks: node graphql-ws.mjs RUN_ID [CURSOR]
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { PATIENT, resuming } from "./resuming.mjs";

const { HOLDPOINT_URL = "http://127.0.0.1:4000", HOLDPOINT_TOKEN = "" } = process.env;
const [runId, after] = process.argv.slice(2);

const socket = createClient({
  ...PATIENT,
  url: `${HOLDPOINT_URL.replace(/^http/, "ws")}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization: `Bearer ${HOLDPOINT_TOKEN}` },
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

try {
  await new Promise((resolve, reject) => {
    resuming(socket).subscribe(
      { query, variables: { runId, after } },
      {
        next({ data, errors }) {
          if (errors) reject(errors);
          const item = data?.runEvents;
          const status = item?.to ?? item?.run?.status;
          if (status) console.log(`${status} ${item.cursor}`);
        },
        error: reject,
        complete: resolve,
      },
    );
  });
} catch (error) {
  // A list: errors of GraphQL. They come again whenever the same is asked for.
  const closed = error?.code === 4401 || error?.code === 4403;
  console.error(closed ? "The token is not valid." : Array.isArray(error) ? error[0].message : error);
  process.exitCode = 1;
}
await socket.dispose();
