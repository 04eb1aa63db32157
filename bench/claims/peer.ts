/** Queues of others, each in a process of its own. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FromPeer, ToPeer } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("../peers/claim-queue.ts", import.meta.url));

export const PEERS = ["graphile-worker", "pg-boss"] as const;

export interface Peer extends AsyncDisposable {
  seed(count: number): Promise<void>;
  run(ms: number): Promise<FromPeer>;
}

export async function startPeer(name: (typeof PEERS)[number], url: string, signal: AbortSignal): Promise<Peer> {
  const child = fork(PROGRAM, [name, url], { stdio: "inherit", execArgv: [], signal });
  const exited = once(child, "exit");
  exited.catch(() => undefined);
  const fail = exited.then(([code]) => Promise.reject(new Error(`${name} ended with ${String(code)}.`)));
  fail.catch(() => undefined);
  const answer = async (): Promise<FromPeer> => {
    const [message]: FromPeer[] = await Promise.race([once(child, "message"), fail]);
    if (message === undefined) throw new Error(`${name} did not answer.`);
    return message;
  };
  const ask = (message: ToPeer): Promise<FromPeer> => {
    const answered = answer();
    child.send(message);
    return answered;
  };
  await answer();
  return {
    seed: async (count) => void (await ask({ type: "seed", count })),
    run: (ms) => ask({ type: "run", ms }),
    [Symbol.asyncDispose]: () => end(child, exited),
  };
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.disconnect();
    await exited.catch(() => undefined);
  }
}
