import type { ClientSocket } from "./client-socket.ts";

/** How long a client may take to answer a ping, in seconds; each is pinged as often. */
const ROUND_S = 12;

/**
 * Closes those of these sockets whose clients are gone without a word, or read nothing: they do not answer. One timer
 * for all, which asks a part of them each second, so that ten thousand are not asked at once.
 */
export function keepAlive(sockets: Iterable<ClientSocket>): Disposable {
  let now = 0;

  function ask(): void {
    now = (now + 1) % ROUND_S;
    for (const socket of sockets) {
      if (socket.turn % ROUND_S !== now) continue;
      if (socket.owesPong) socket.terminate();
      else if (socket.readyState === socket.OPEN) {
        socket.owesPong = true;
        socket.ping();
      }
    }
  }

  const timer = setInterval(ask, 1000);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
