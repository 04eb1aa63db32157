import { startInProcess } from "../support/in-process.ts";
import { describeFeedStreams } from "./feed-stream-cases.ts";

describeFeedStreams("Postgres", async (stack) => stack.use(await startInProcess()));
