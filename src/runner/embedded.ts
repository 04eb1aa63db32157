/**
 * The process of the embedded runner: the server starts it with `child_process.fork` and sends an EmbeddedMessage
 * `start`. Exit codes: 0 after a drain or a cycle, 1 if it could not start, 3 if the server refuses its token.
 */
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { openLogDestination } from "../os/log-destination.ts";
import { embeddedMessageSchema, type EmbeddedSettings, REFUSED_EXIT } from "./embedded-messages.ts";
import type { Runner } from "./runner-options.ts";
import { startRunner } from "./runner.ts";
import { TokenRefused } from "./server/pool-check.ts";

/** Signals that go to the whole process group, such as Ctrl-C. The server decides about them. */
const SIGNALS_OF_THE_SERVER = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const STDOUT = 1;
const ID_BYTES = 20;

function start({ logLevel, ...settings }: EmbeddedSettings): Runner {
  const log = pino({ level: logLevel, base: { component: "runner" } }, openLogDestination(STDOUT));
  const runner = startRunner({
    ...settings,
    log,
    clock: () => new Date(),
    randomId: () => randomBytes(ID_BYTES).toString("hex"),
  });
  runner.done.then(
    () => process.exit(0),
    (error: unknown) => {
      // The runner has logged it.
      if (error instanceof TokenRefused) process.exit(REFUSED_EXIT);
      log.fatal({ err: error }, "The runner could not start");
      process.exit(1);
    },
  );
  return runner;
}

function main(): void {
  let runner: Runner | null = null;
  for (const signal of SIGNALS_OF_THE_SERVER) process.on(signal, () => undefined);
  process.on("message", (raw) => {
    const message = embeddedMessageSchema.parse(raw);
    if (message.type === "start") runner ??= start(message.settings);
    else if (message.type === "drain") runner?.drain();
    else runner?.interrupt();
  });
  // The server has ended: plans are handed back. An apply is waited for, and its result goes to the next server at the
  // same address.
  process.on("disconnect", () => {
    if (runner === null) process.exit(0);
    runner.drain();
  });
}

main();
