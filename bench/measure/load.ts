/**
 * Many connections that post one request after the other. A generator of our own, because it shares the machine with
 * what is measured: it writes buffers that were made before and looks for the end of each answer, nothing else.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadOptions, LoadReply } from "./load-messages.ts";

const PROGRAM = fileURLToPath(new URL("load-process.ts", import.meta.url));
const SLACK_MS = 30_000;

export type LoadResult = Extract<LoadReply, { type: "done" }>;

export interface LoadGenerator extends Disposable {
  run(options: LoadOptions): Promise<LoadResult>;
}

/** A process that makes load when it is asked to. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(PROGRAM, { execArgv: [] });
  return {
    run: (options) => ask(child, options),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

function ask(child: ChildProcess, options: LoadOptions): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error("The load has no end."))), options.ms + SLACK_MS);
    const gone = (): void => end(() => reject(new Error("The generator of load has ended.")));
    const read = (reply: LoadReply): void =>
      end(() => (reply.type === "done" ? resolve(reply) : reject(new Error(`${options.url}: ${reply.message}`))));
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      child.off("exit", gone);
      child.off("message", read);
      settle();
    };
    child.once("exit", gone);
    child.once("message", read);
    child.send(options);
  });
}
