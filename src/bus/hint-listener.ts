import pg from "pg";
import { CHANNEL, type Topic, TOPIC_KINDS } from "../persistence/notifier.ts";
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
  let client = await listen();
  let reconnecting: Promise<void> | null = null;

  async function listen(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...connection, keepAlive: true });
    fresh.on("notification", ({ payload }) => {
      if (payload !== undefined && isTopic(payload)) hub.signal(payload);
    });
    // The driver says "error" and "end" about one broken connection: whichever comes first starts the next attempt.
    fresh.on("error", (error) => lost(error));
    fresh.on("end", () => lost(new Error("The connection for hints ended.")));
    await fresh.connect();
    await fresh.query(`listen ${CHANNEL}`);
    return fresh;
  }

  function lost(error: Error): void {
    if (stop.signal.aborted || reconnecting !== null) return;
    onError(error);
    reconnecting = reconnect().finally(() => {
      reconnecting = null;
    });
  }

  async function reconnect(): Promise<void> {
    await client.end().catch(() => undefined);
    while (!stop.signal.aborted) {
      try {
        client = await listen();
        hub.signalAll();
        return;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        await pause(RETRY_MS, stop.signal);
      }
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reconnecting;
      await client.end().catch(() => undefined);
    },
  };
}

function isTopic(payload: string): payload is Topic {
  return payload === "work" || TOPIC_KINDS.some((kind) => payload.startsWith(`${kind}:`));
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
