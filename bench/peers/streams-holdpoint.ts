/**
 * Holdpoint's subscriptions, over logs that grow in memory, as those of the peers do: what is compared is how events
 * reach clients. Who asks, and whether they may, is read from the database.
 */
import { createTail } from "../../src/bus/tail.ts";
import { openDeps } from "../product/deps.ts";
import { createStreamServer } from "../product/stream-server.ts";
import { LINES, linesAfter } from "../streams/event.ts";
import { given, serve } from "../streams/serve.ts";

const CONNECTIONS = 10;
/** Longer than any measurement. */
const POLL_MS = 600_000;

const { runIds, connection, masterKey } = given();
let length = 0;

const { deps } = openDeps(connection, masterKey, CONNECTIONS);
const { server, hub } = await createStreamServer(deps, connection, (signals) => ({
  runLog(runId, afterLine, onIdle) {
    let line = afterLine;
    return createTail({
      watch: signals.watch(`log:${runId}`),
      pollMs: POLL_MS,
      onIdle: () => onIdle?.(line),
      read: async () => {
        if (length - line < LINES) return { items: [], ended: false };
        const lines = linesAfter(line).map(
          ({ number, at, text }) => ({ number, at, text, phase: "APPLY", stream: "STDOUT", attempt: 1 }) as const,
        );
        line += LINES;
        return { items: [lines], ended: false };
      },
    });
  },
}));
serve(server, () => {
  length += LINES;
  for (const id of runIds) hub.signal(`log:${id}`);
});
