/** `npm run bench`: measures the parts one after the other and writes the results. `--help` lists the options. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type OpenedDatabase, openBigDatabase, SHAPES, type Size } from "./dataset/big-database.ts";
import { cacheFolder } from "./dataset/cluster.ts";
import type { Part, PartResult } from "./part.ts";
import { PARTS } from "./parts.ts";
import { installPeers } from "./peers/install.ts";
import { writeDocument } from "./report/document.ts";
import { machineFacts } from "./report/machine.ts";
import { saveResult } from "./report/saved.ts";
import { printResult } from "./report/terminal.ts";

const DOCS = fileURLToPath(new URL("../docs/", import.meta.url));

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    size: { type: "string" },
    output: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const print = (line: string): void => console.log(line);

function chosenParts(): readonly Part[] {
  if (values.only === undefined) return PARTS;
  return values.only.split(",").map((name) => {
    const part = PARTS.find((known) => known.name === name);
    if (part === undefined)
      throw new Error(`There is no part ${name}; there are ${PARTS.map((p) => p.name).join(", ")}.`);
    return part;
  });
}

function chosenSize(): Size {
  const size = values.size ?? (values.quick ? "quick" : "full");
  const known = Object.keys(SHAPES).find((name) => name === size);
  if (known === "full" || known === "quick" || known === "small" || known === "smoke") return known;
  throw new Error(`There is no size ${size}.`);
}

async function measure(part: Part, database: OpenedDatabase, signal: AbortSignal): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), `holdpoint-bench-${part.name}-`));
  try {
    return await part.run({ quick: values.quick, database, folder, signal, print: (line) => print(`  ${line}`) });
  } finally {
    await database.dropCreated();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureOn(part: Part, database: OpenedDatabase, signal: AbortSignal): Promise<PartResult> {
  if (part.size === undefined) return measure(part, database, signal);
  await using own = await openBigDatabase({ size: part.size, folder: cacheFolder(), print });
  return await measure(part, own, signal);
}

/** How long what was done since the last lap took, in seconds. */
function stopwatch(): { lap(name: string): void; summary(): string } {
  const laps: string[] = [];
  const started = performance.now();
  let last = started;
  const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);
  return {
    lap(name) {
      laps.push(`${name} ${seconds(last)} s`);
      last = performance.now();
    },
    summary: () => `took ${seconds(started)} s: ${laps.join(", ")}`,
  };
}

async function main(): Promise<void> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  const parts = chosenParts();
  const size = chosenSize();
  // Quick or small results are for the terminal, not for the document.
  const output = values.output ?? (values.quick || size !== "full" ? null : DOCS);
  const watch = stopwatch();
  await installPeers(print);
  await using database = await openBigDatabase({ size, folder: cacheFolder(), print });
  watch.lap("peers and database");
  const machine = machineFacts(database.postgresVersion);
  for (const part of parts) {
    print(part.title);
    const result = await measureOn(part, database, interrupted.signal);
    watch.lap(part.name);
    printResult(result, print);
    const { name, title } = part;
    if (output !== null)
      await saveResult(output, { name, title, machine, shape: SHAPES[part.size ?? size], quick: values.quick, result });
  }
  print(watch.summary());
  if (output !== null)
    await writeDocument(
      output,
      PARTS.map(({ name }) => name),
    );
}

if (values.help) {
  print(`npm run bench -- [options]

  --quick         a smaller database, fewer and shorter rounds; writes nothing without --output
  --only a,b      these parts alone: ${PARTS.map(({ name }) => name).join(", ")}
  --size name     ${Object.keys(SHAPES).join(", ")}: another database than the one that goes with it
  --output folder where benchmarks.md and the results are written; docs if not given`);
} else {
  await main();
}
