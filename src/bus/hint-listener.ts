import pg from "pg";
import { CHANNEL, isTopic } from "../persistence/database/notifier.ts";
import { STEADY } from "../persistence/database/steady.ts";
import type { Hub } from "./hub.ts";

const RETRY_MS = 1000;

/**
 * Listens for the hints of every process on the database, on a connection of its own, and hands them to the hub.
 * After a broken connection everybody looks again, because hints were missed meanwhile.
 */
export async function startHintListener(
  connection: pg.ClientConfig,
  hub: Hub,
  onError: (error: Error) => void,
): Promise<AsyncDisposable> {
  const stop = new AbortController();
  let client: pg.Client | null = null;
  let reconnecting: Promise<void> | null = null;

  async function listen(): Promise<void> {
    const fresh = new pg.Client({ ...STEADY, ...connection });
    fresh.on("notification", ({ payload }) => {
      if (payload !== undefined && isTopic(payload)) hub.signal(payload);
    });
    // The driver says "error" and "end" about one broken connection, and "end" may come when there is another already:
    // whichever is first, about the connection in use, starts the next attempt.
    fresh.on("error", (error) => lost(fresh, error));
    fresh.on("end", () => lost(fresh, new Error("The connection for hints ended.")));
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}`);
    } catch (error) {
      void fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
  }

  function lost(broken: pg.Client, error: Error): void {
    if (stop.signal.aborted || client !== broken) return;
    client = null;
    onError(error);
    void broken.end().catch(() => undefined);
    reconnecting = reconnect();
  }

  async function reconnect(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await listen();
        hub.signalAll();
        return;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        await pause(RETRY_MS, stop.signal);
      }
    }
  }

  await listen();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reconnecting;
      await client?.end().catch(() => undefined);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
