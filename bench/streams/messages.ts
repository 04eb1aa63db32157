/** Messages between the processes of this part. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { serveCommand, serveOptions } from "../product/serve-arguments.ts";

/** The start arguments of a server, as JSON in its first argument. */
export interface ServerArguments {
  /** The runs whose logs grow with each event. */
  readonly runIds: readonly string[];
  /** The address of Postgres; only servers that need it connect. */
  readonly connection: object;
  readonly masterKey: string;
  readonly token: string;
}

/** Asked of a server: an event in every run, its CPU time so far, its memory after a collection. */
export type Asked = "publish" | "usage" | "memory";

export type ServerReply =
  | { readonly type: "listening"; readonly port: number }
  | { readonly type: "usage"; readonly cpuUs: number }
  /** In bytes; `young` is what the process has of V8's young generation, full or empty. */
  | { readonly type: "memory"; readonly rss: number; readonly young: number; readonly heap: number }
  /** Microseconds of the machine's clock at which the event was committed. */
  | { readonly type: "committed"; readonly at: number };

/** Asked of a process with many clients: the first message that came; how many clients have how many. */
export type AskedOfClients = "sample" | "tally";

/** Replies of that process: all clients are connected; so many events have come to each of them. */
export type ClientsReply =
  | { readonly type: "ready" }
  | { readonly type: "events"; readonly count: number }
  | { readonly type: "sample"; readonly message: string }
  | { readonly type: "tally"; readonly counts: readonly (readonly [messages: number, clients: number])[] };

const PATIENCE_MS = 120_000;

/** Starts a program of this benchmark that sends messages, with the options of Node and the variables that `npm start` has. */
export function start(file: string, given: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), given, {
    execArgv: ["--expose-gc", ...serveOptions()],
    // oxlint-disable-next-line node/no-process-env -- programs are found by it
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...serveCommand().env },
  });
}

/** The next message of this type, asked for where something is asked. */
export function answer<Message extends { type: string }, Type extends Message["type"]>(
  child: ChildProcess,
  type: Type,
  ask: Asked | AskedOfClients | null = null,
): Promise<Extract<Message, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`No answer: ${type}.`))), PATIENCE_MS);
    const gone = (): void => finish(() => reject(new Error("A process of the measurement has ended.")));
    const receive = (message: Message): void => {
      if (isOf<Message, Type>(message, type)) finish(() => resolve(message));
    };
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off("exit", gone).off("message", receive);
      settle();
    };
    child.on("exit", gone).on("message", receive);
    if (ask !== null) child.send(ask);
  });
}

function isOf<Message extends { type: string }, Type extends Message["type"]>(
  message: Message,
  type: Type,
): message is Extract<Message, { type: Type }> {
  return message.type === type;
}

/** Microseconds of a clock that all processes of the machine share. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
