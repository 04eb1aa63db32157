import pg from "pg";
import { CHANNEL, type HintListener, isTopic, PEER_AWAY } from "../persistence/database/notifier.ts";
import { KEEP_ALIVE } from "../persistence/database/keep-alive.ts";

const RETRY_MS = 1000;

/**
 * Listens for the hints of all processes, on a connection of its own. After a reconnection every watch is woken,
 * because hints may have been missed. `onPeerAway`: a server has lost another bus.
 */
export async function startHintListener(
  connection: pg.ClientConfig,
  listener: HintListener,
  onError: (error: Error) => void,
  onPeerAway: () => void = () => undefined,
): Promise<AsyncDisposable> {
  const stop = new AbortController();
  let client: pg.Client | null = null;
  let reconnecting: Promise<void> | null = null;

  async function listen(): Promise<void> {
    const fresh = new pg.Client({ ...KEEP_ALIVE, ...connection });
    fresh.on("notification", ({ payload = "" }) => {
      if (payload === PEER_AWAY) onPeerAway();
      else if (isTopic(payload)) listener.signal(payload);
    });
    // The driver may emit several errors for one broken connection, also after a reconnection. The first one for the
    // current connection starts the next attempt. A connection that ends without a reason is an error as well.
    fresh.on("error", (error) => lost(fresh, error));
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
        listener.signalAll();
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
