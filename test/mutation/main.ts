/** Mutation testing: changes the product in small ways and looks whether a test fails. CONTRIBUTING.md describes it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { matchesGlob, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import accepted from "./accepted.json" with { type: "json" };
import { percentOf } from "./mutant.ts";
import { type Part, PARTS } from "./parts.ts";
import { isInSample } from "./sample.ts";
import { type FileReport, printReport, reportFile, totalOf } from "./report.ts";

const LEAST_PERCENT = 90;
const FOLDER = ".mutation";
const USAGE = `npm run mutate -- [options] [part, file or glob, also file.ts:10-20]...
  --at-once <count>  mutants at a time (1)
  --sample <percent>[:<seed>]  only so many of the mutants, by chance
  --patience <times> multiplies all limits of time, for a machine that does other work beside it (1)
  --fresh            a new process for each mutant, where tests may share state: not with a database
  --list             the parts and their globs
Without arguments: all parts, which takes hours.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "at-once": { type: "string", default: "1" },
    sample: { type: "string" },
    patience: { type: "string", default: "1" },
    list: { type: "boolean" },
    fresh: { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});

/** A part with those of its files that are asked for; a file may be followed by a range of its lines. */
interface Choice {
  part: Part;
  sources: readonly string[];
}

if (values.help === true) process.stdout.write(`${USAGE}\n`);
else if (values.list === true) for (const part of PARTS) process.stdout.write(`${printPart(part)}\n`);
else process.exitCode = (await measureAll(choose(positionals))) ? 0 : 1;

function printPart({ name, sources, tests }: Part): string {
  return `${name}\n  ${sources.join("\n  ")}\n  tests: ${tests.join(" ")}`;
}

function choose(asked: readonly string[]): Choice[] {
  if (asked.length === 0) return PARTS.map((part) => ({ part, sources: part.sources }));
  const owned = asked.map((one) => ({ one, part: PARTS.find((part) => part.name === one) ?? ownerOf(one) }));
  return [...Map.groupBy(owned, ({ part }) => part)].map(([part, found]) => {
    return { part, sources: found.flatMap(({ one }) => (one === part.name ? part.sources : [one])) };
  });
}

function ownerOf(asked: string): Part {
  const [path = ""] = asked.split(":");
  const owner = PARTS.find(({ sources }) => sources.some((glob) => glob === path || matchesGlob(path, glob)));
  if (owner !== undefined) return owner;
  throw new Error(`No part has ${asked}. The parts are: ${PARTS.map(({ name }) => name).join(", ")}.`);
}

async function measureAll(choices: readonly Choice[]): Promise<boolean> {
  await mkdir(FOLDER, { recursive: true });
  let isGood = true;
  for (const choice of choices) isGood = (await measure(choice)) && isGood;
  return isGood;
}

/** Whether the tests notice enough, and all that they do not notice is accepted. */
async function measure({ part, sources }: Choice): Promise<boolean> {
  // For vitest.config.ts, in the process that runs the tests.
  process.env["MUTATION_TESTS"] = part.tests.join(" ");
  process.env["MUTATION_DATABASE"] = String(part.hasDatabase);
  process.env["MUTATION_SAMPLE"] = values.sample ?? "";
  process.env["MUTATION_PATIENCE"] = values.patience;
  // What is known of a measurement that is broken off.
  const progress = resolve(FOLDER, `${part.name.replaceAll("/", "-")}.log`);
  await writeFile(progress, "");
  process.env["MUTATION_PROGRESS"] = progress;
  // Each process of tests loads the same files.
  process.env["NODE_COMPILE_CACHE"] = resolve(FOLDER, "compiled");
  const html = `${FOLDER}/${part.name.replaceAll("/", "-")}.html`;
  const stryker = new Stryker({
    configFile: "test/mutation/stryker.config.json",
    mutate: [...sources],
    coverageAnalysis: "perTest",
    concurrency: Number(values["at-once"]),
    // Beside what the tests take: for loops without an end, which no timeout of a test ends.
    timeoutMS: Number(values.patience) * (part.hasDatabase ? 60_000 : 12_000),
    ...(!values.fresh && { plugins: ["./test/mutation/session/session-runner.ts"], testRunner: "session" }),
    htmlReporter: { fileName: html },
  });
  const all = await stryker.runMutationTest();
  const mutants = all.filter((mutant) => isInSample(mutant, values.sample));
  const byPath = Map.groupBy(mutants, ({ fileName }) => relative(process.cwd(), fileName));
  const files = await Promise.all(
    [...byPath].map(async ([path, found]) => reportFile(path, await readFile(path, "utf8"), found, accepted)),
  );
  const page = printReport(part.name, files);
  await writeFile(`${FOLDER}/${part.name.replaceAll("/", "-")}.md`, page);
  process.stdout.write(`\n${page}\nSee ${html}.\n`);
  return judge(part.name, files);
}

function judge(name: string, files: readonly FileReport[]): boolean {
  const percent = percentOf(totalOf(files.map(({ score }) => score)));
  const open = files.flatMap(({ survivors }) => survivors).filter(({ reason }) => reason === null).length;
  if (percent < LEAST_PERCENT) {
    process.stderr.write(`${name}: the score is ${percent.toFixed(1)} %, and must be at least ${LEAST_PERCENT} %.\n`);
  }
  if (open > 0) {
    process.stderr.write(
      `${name}: ${open} survivors are not in test/mutation/accepted.json. Kill them, or give the reason there.\n`,
    );
  }
  return percent >= LEAST_PERCENT && open === 0;
}
