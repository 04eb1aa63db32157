/** Shared parts of every server of this part beside its streams. */
import type { Server } from "node:http";
import { getHeapSpaceStatistics } from "node:v8";
import type { Asked, ServerArguments, ServerReply } from "./messages.ts";

export function given(): ServerArguments {
  return JSON.parse(process.argv[2] ?? "");
}

export function send(reply: ServerReply): void {
  process.send?.(reply);
}

/** Listens on a free port and obeys messages until its parent is gone. `publish`: one event in every run. */
export function serve(server: Server, publish: () => void): void {
  obey(publish);
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => announce(server));
}

export function announce(server: Server): void {
  const address = server.address();
  if (typeof address === "object" && address !== null) send({ type: "listening", port: address.port });
}

export function obey(publish: () => void): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (asked: Asked) => {
    if (asked === "publish") return publish();
    send(asked === "usage" ? usage() : memory());
  });
}

function usage(): ServerReply {
  const { user, system } = process.cpuUsage();
  return { type: "usage", cpuUs: user + system };
}

function memory(): ServerReply {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith("new_"));
  const young = spaces.reduce((sum, { physical_space_size }) => sum + physical_space_size, 0);
  return { type: "memory", rss, young, heap: heapUsed + external };
}
