import type { WebSocket } from "ws";

/** How long a client may take to answer a ping, in seconds; each is pinged as often. */
const ROUND_S = 12;

export interface KeepAlive extends Disposable {
  /** Until it is closed. */
  add(socket: WebSocket): void;
}

/**
 * Closes sockets whose clients are gone without a word, or read nothing: they do not answer. One timer for all, which
 * asks a part of them each second, so that ten thousand are not asked at once.
 */
export function keepAlive(): KeepAlive {
  const parts: Set<WebSocket>[] = Array.from({ length: ROUND_S }, () => new Set());
  /** Who owes an answer. */
  const asked = new WeakSet<WebSocket>();
  let count = 0;
  let now = 0;

  function answered(this: WebSocket): void {
    asked.delete(this);
  }

  function ask(): void {
    now = (now + 1) % ROUND_S;
    for (const socket of parts[now] ?? []) {
      if (socket.readyState === socket.CLOSED) parts[now]?.delete(socket);
      else if (asked.has(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) {
        asked.add(socket);
        socket.ping();
      }
    }
  }

  const timer = setInterval(ask, 1000);
  timer.unref();
  return {
    add(socket) {
      count += 1;
      parts[count % ROUND_S]?.add(socket);
      socket.on("pong", answered);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
