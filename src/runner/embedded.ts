/**
 * The process of the embedded runner: the server starts it with `child_process.fork` and sends an EmbeddedMessage
 * `start`. It ends with exit code 0 when it was drained or cycled, 1 when it could not start, 3 when the server refuses
 * it.
 */
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { openLogDestination } from "../os/log-destination.ts";
import { embeddedMessageSchema, type EmbeddedSettings, REFUSED_EXIT } from "./embedded-messages.ts";
import type { Runner } from "./runner-options.ts";
import { startRunner } from "./runner.ts";
import { TokenRefused } from "./server/pool-check.ts";

/** Ctrl-C and a closed terminal go to the whole process group; what they mean is the server's decision. */
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
      // It has said so itself.
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
  // The server is gone, however it ended: plans go back, an apply is waited for and its result delivered to whoever
  // answers at the same address.
  process.on("disconnect", () => {
    if (runner === null) process.exit(0);
    runner.drain();
  });
}

main();
