/** Sends posts to a server that does nothing but store them: the cost of a request and its answer alone. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { PoolConfig } from "pg";
import { LOG_TEXT_TYPE, writeLogText } from "../../src/model/log/log-text.ts";
import { postText } from "../../src/runner/server/text-post.ts";
import { RUNNER_LIMITS } from "../../src/runner/kit/runner-limits.ts";
import { type ServerProcess, startServerProcess } from "../measure/process.ts";
import { LISTENS } from "../peers/listen.ts";
import type { Line } from "./lines.ts";
import type { Writers } from "./protocol.ts";

const SERVER = fileURLToPath(new URL("../peers/bare-log.ts", import.meta.url));

/** On the database of a raw store that is open. */
export function startBareLog(connection: PoolConfig): Promise<ServerProcess> {
  return startServerProcess({ arguments: [SERVER, JSON.stringify(connection)], ready: LISTENS });
}

/** Writes with as many posts of each log under way as of a job. The order of their arrival does not matter. */
export function writersTo(url: string, count: number, posts: readonly (readonly Line[])[]): Writers {
  return async (ms) => {
    const end = performance.now() + ms;
    const counts = await Promise.all(Array.from({ length: count }, () => write(url, posts, end)));
    return counts.reduce((sum, one) => sum + one, 0);
  };
}

async function write(url: string, posts: readonly (readonly Line[])[], end: number): Promise<number> {
  const [log, signal, timeoutMs] = [randomUUID(), new AbortController().signal, RUNNER_LIMITS.requestMs];
  let [index, taken] = [0, 0];
  const post = async (): Promise<void> => {
    while (performance.now() < end) {
      const lines = posts[index % posts.length] ?? [];
      const path = `log?log=${log}&first=${taken + 1}&last=${taken + lines.length}`;
      index += 1;
      taken += lines.length;
      await postText(url, {
        path,
        token: "",
        body: writeLogText(lines),
        contentType: LOG_TEXT_TYPE,
        timeoutMs,
        signal,
      });
    }
  };
  await Promise.all(Array.from({ length: RUNNER_LIMITS.logPostsInFlight }, post));
  return taken;
}
