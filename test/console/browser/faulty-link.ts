/** A TCP proxy between a browser and a server, for what networks do: they go away, go silent and come back. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface FaultyLink extends AsyncDisposable {
  /** The address by which browsers reach the server. */
  readonly url: string;
  /** Breaks all connections and takes no new one. */
  cut(): void;
  /** Keeps back what the server sends over WebSockets. Other connections work. */
  hold(): void;
  /** Keeps back all that the server sends: it gets requests, and its answers are lost. */
  mute(): void;
  /** Takes connections again, and delivers what was held. */
  heal(): void;
  /** Breaks the WebSockets alone. */
  dropSockets(): void;
  /**
   * Carries nothing more over the WebSockets there are, and breaks none of them: a machine that slept has such. The others
   * are closed, as a server closes what is idle for some seconds.
   */
  freeze(): void;
  /** How many WebSockets were opened so far. */
  readonly socketCount: number;
}

interface Connection {
  readonly browser: Socket;
  readonly server: Socket;
  isSocket: boolean;
}

/** Starts it before the server at a port of this machine. */
export async function startFaultyLink(serverPort: number): Promise<FaultyLink> {
  const open = new Set<Connection>();
  let mode: "pass" | "cut" | "hold" | "mute" = "pass";
  let socketCount = 0;
  const end = ({ browser, server }: Connection): void => {
    browser.destroy();
    server.destroy();
  };
  const proxy = createServer((browser) => {
    if (mode === "cut") {
      browser.destroy();
      return;
    }
    const server = connect(serverPort, "127.0.0.1");
    const connection: Connection = { browser, server, isSocket: false };
    open.add(connection);
    if (mode === "mute") server.pause();
    browser.on("data", (bytes: Buffer) => {
      if (connection.isSocket || !/^GET [^\r]*\r\n[\s\S]*upgrade: websocket/i.test(bytes.toString("latin1"))) return;
      connection.isSocket = true;
      socketCount += 1;
      if (mode === "hold") server.pause();
    });
    browser.pipe(server);
    if (mode === "mute") server.once("resume", () => server.pipe(browser));
    else server.pipe(browser);
    for (const socket of [browser, server]) {
      socket.on("error", () => end(connection));
      socket.on("close", () => {
        open.delete(connection);
        end(connection);
      });
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address: AddressInfo | string | null = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const sockets = (): Connection[] => [...open].filter(({ isSocket }) => isSocket);
  return {
    url: `http://localhost:${address.port}`,
    cut() {
      mode = "cut";
      for (const connection of open) end(connection);
    },
    hold() {
      mode = "hold";
      for (const { server } of sockets()) server.pause();
    },
    mute() {
      mode = "mute";
      for (const { server } of open) server.pause();
    },
    heal() {
      mode = "pass";
      for (const { server } of open) server.resume();
    },
    dropSockets() {
      for (const connection of sockets()) end(connection);
    },
    freeze() {
      for (const connection of open) {
        const { browser, server, isSocket } = connection;
        if (isSocket) {
          server.unpipe(browser);
          browser.unpipe(server);
        } else end(connection);
      }
    },
    get socketCount() {
      return socketCount;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of open) end(connection);
      proxy.close();
      await once(proxy, "close");
    },
  };
}
