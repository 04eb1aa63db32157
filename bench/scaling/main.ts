/**
 * The measurements behind docs/scaling.md, which is written from them: `node bench/scaling/main.ts [--quick] [NAME...]`.
 * They have a Postgres of their own in a temporary folder, which goes with them, and take some ten minutes and 8 GB.
 */
import { parseArgs } from "node:util";
import { machineFacts } from "../report/machine.ts";
import { writeScaling } from "./document.ts";
import { growth } from "./growth.ts";
import { idle } from "./idle.ts";
import { months } from "./months.ts";
import { notify } from "./notify.ts";
import { replica } from "./replica.ts";
import { watchers } from "./watchers.ts";
import { wholeRuns } from "./whole-runs.ts";
import { type Measured, openWorld, type World } from "./world.ts";

const MEASUREMENTS: Record<string, (world: World) => Promise<Measured>> = {
  "whole-runs": wholeRuns,
  idle,
  watchers,
  notify,
  months,
  replica,
  growth,
};

async function measure(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const started = Date.now();
    const found = (await MEASUREMENTS[name]?.(world)) ?? {};
    process.stdout.write(`## ${name} (${Math.round((Date.now() - started) / 1000)} s)\n\n`);
    for (const [key, value] of Object.entries(found)) {
      process.stdout.write(typeof value === "string" ? `${key}\n${value}\n\n` : `${key}: ${value}\n`);
    }
    // Quick results are for the terminal, not for the document.
    if (!world.quick) await writeScaling({ ...found, machine: machine() });
  }
}

function machine(): string {
  const { cores, processor, memoryGb, node, date } = machineFacts("");
  return `${cores} cores (${processor}), ${memoryGb} GB, Node ${node}, ${date}`;
}

/** Resolves at a stop signal. Later errors are ignored, because the database of the work is stopped. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        process.exitCode = 130;
        process.on("uncaughtException", () => undefined);
        resolve();
      });
    }
  });
}

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS);
const unknown = names.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${Object.keys(MEASUREMENTS).join(", ")}.\n`);
  process.exitCode = 2;
} else {
  await using world = await openWorld(values.quick, (line) => process.stderr.write(`${line}\n`));
  await Promise.race([measure(world, names), interruption()]);
}
