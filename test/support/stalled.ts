/** What tests about readers that never read have in common. */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { FakeJob } from "./fake-runner.ts";
import { waitUntil } from "./eventually.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What this process holds once everything was collected that can be. */
export function usedMemory(): NodeJS.MemoryUsage {
  collect();
  collect();
  return process.memoryUsage();
}

/** Server sides of all connections that this process accepts, the newest last, until it is disposed of. */
export function watchAccepted(): { accepted: Socket[] } & Disposable {
  const accepted: Socket[] = [];
  const onSocket = (message: unknown): void => {
    accepted.push((message as { socket: Socket }).socket);
  };
  diagnostics.subscribe("net.server.socket", onSocket);
  return {
    accepted,
    [Symbol.dispose]: () => {
      diagnostics.unsubscribe("net.server.socket", onSocket);
    },
  };
}

/**
 * Until the server could write no more to each of them, now or earlier: one that answers no ping is closed after a while.
 */
export async function untilStalled(sockets: readonly Socket[], timeoutMs: number): Promise<void> {
  const rest = new Set(sockets);
  const before = new Map<Socket, number>();
  await waitUntil(
    () => {
      for (const socket of rest) {
        const isFull = socket.writableLength > 0 && before.get(socket) === socket.bytesWritten;
        if (isFull || socket.destroyed) rest.delete(socket);
        before.set(socket, socket.bytesWritten);
      }
      return rest.size === 0;
    },
    { timeout: timeoutMs, interval: 250 },
  );
}

/** Text that cannot be compressed, in batches like those of a runner. */
export async function writeLog(job: FakeJob, batches: number, linesPerBatch: number, lineBytes: number): Promise<void> {
  const text = randomBytes(lineBytes).toString("base64").slice(0, lineBytes);
  for (let batch = 0; batch < batches; batch += 1) {
    const lines = Array.from({ length: linesPerBatch }, () => text);
    expect((await job.log("PREPARE", ...lines)).status).toBe(200);
  }
}

export interface StalledCrowd extends AsyncDisposable {
  /** The server's side of each. */
  readonly serverSides: Socket[];
}

/** So many of them in a process of their own, so that their memory is not counted. */
export async function startStalledCrowd(url: string, token: string, run: string, count: number): Promise<StalledCrowd> {
  using watching = watchAccepted();
  const child = fork(new URL("stalled-crowd.ts", import.meta.url));
  const ended = once(child, "exit");
  child.send({ url, token, run, count });
  await Promise.race([once(child, "message"), ended.then(() => Promise.reject(new Error("The readers have ended.")))]);
  return {
    serverSides: [...watching.accepted],
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
