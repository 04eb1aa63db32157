import type { WebSocket } from "ws";

/** How long a client may take to answer a ping, in seconds; each is pinged as often. */
const ROUND_S = 12;

/**
 * Closes sockets whose clients are gone without a word, or read nothing: they do not answer. One timer for all, which
 * asks a part of them each second, so that ten thousand are not asked at once.
 */
export function keepAlive(sockets: Iterable<WebSocket>): Disposable {
  /** The second of a round in which a socket is asked, and whether it still owes an answer. */
  const known = new WeakMap<WebSocket, { turn: number; owes: boolean }>();
  let count = 0;
  let now = 0;

  function meet(socket: WebSocket): { turn: number; owes: boolean } {
    count += 1;
    const state = { turn: count % ROUND_S, owes: false };
    known.set(socket, state);
    socket.on("pong", () => {
      state.owes = false;
    });
    return state;
  }

  function ask(): void {
    now = (now + 1) % ROUND_S;
    for (const socket of sockets) {
      const state = known.get(socket) ?? meet(socket);
      if (state.turn !== now || socket.readyState !== socket.OPEN) continue;
      if (state.owes) socket.terminate();
      else {
        state.owes = true;
        socket.ping();
      }
    }
  }

  const timer = setInterval(ask, 1000);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
