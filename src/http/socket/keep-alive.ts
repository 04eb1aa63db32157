import type { ClientSocket } from "./client-socket.ts";

/** The seconds that a client has to answer a ping, and the seconds between two pings of one client. */
const ROUND_S = 12;

/**
 * Closes sockets whose clients do not answer pings: they are gone, or read nothing. One timer pings a part of the
 * sockets each second, so that ten thousand are not pinged at once.
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
