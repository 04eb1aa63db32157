/**
 * The measurements behind docs/scaling.md: `node bench/scaling/main.ts [NAME...]`. Each prints tables of Markdown. They
 * have a Postgres of their own in a temporary folder, which goes with them, and take up to ten minutes and 8 GB.
 */
import { growth } from "./growth.ts";
import { idle } from "./idle.ts";
import { months } from "./months.ts";
import { notify } from "./notify.ts";
import { replica } from "./replica.ts";
import { watchers } from "./watchers.ts";
import { wholeRuns } from "./whole-runs.ts";
import { openWorld, type World } from "./world.ts";

const MEASUREMENTS: Record<string, (world: World) => Promise<string>> = {
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
    process.stderr.write(`${name}...\n`);
    process.stdout.write(`## ${name}\n\n${await MEASUREMENTS[name]?.(world)}\n\n`);
  }
}

/** Fulfilled when somebody wants an end; from then on nobody minds what breaks because its database goes away. */
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

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(MEASUREMENTS);
const unknown = names.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${Object.keys(MEASUREMENTS).join(", ")}.\n`);
  process.exitCode = 2;
} else {
  await using world = await openWorld((line) => process.stderr.write(`${line}\n`));
  await Promise.race([measure(world, names), interruption()]);
}
