import { describeFeedStreams } from "../bus/feed-stream-cases.ts";
import { startInProcess } from "../support/in-process.ts";
import { startNatsServer } from "../support/nats-server.ts";

describeFeedStreams("NATS", async (stack) => {
  const nats = stack.use(await startNatsServer());
  return stack.use(await startInProcess({ nats: nats.settings }));
});
