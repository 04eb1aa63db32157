/** docs/benchmarks.md, written whole from what was last measured of each part. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Table, Target } from "../part.ts";
import { formatBound, formatCell, formatFigure, formatNumber, isReached } from "./format.ts";
import { findSaved, type Saved } from "./saved.ts";

/** Writes `benchmarks.md` into the folder in which the results of these parts are. */
export async function writeDocument(output: string, names: readonly string[]): Promise<void> {
  const found = await Promise.all(names.map((name) => findSaved(output, name)));
  const parts = found.filter((saved) => saved !== null);
  await writeFile(join(output, "benchmarks.md"), renderDocument(parts));
}

export function renderDocument(parts: readonly Saved[]): string {
  const targets = parts.flatMap(({ result }) => result.targets);
  return `${[
    "# Benchmarks",
    "<!-- Written by `npm run bench`; a change by hand is gone with the next run. -->",
    INTRODUCTION,
    machines(parts),
    "## Targets",
    `${targets.filter(isReached).length} of ${targets.length} reached. Ratios are taken round by round, so that a change of the machine is in both terms; in brackets the smallest and the largest round.`,
    targetTable(targets),
    ...parts.flatMap(section),
    REPEAT,
  ].join("\n\n")}\n`;
}

const INTRODUCTION = `Holdpoint beside the software that one would use in its place, and beside the practical limit: the same work written by
hand for this one purpose. Holdpoint runs as it is shipped, with authentication, rights, limits and masking, in a process
of its own.

All figures of a table are measured in one run on one machine, in rounds of random order. They are medians of the rounds,
in brackets the smallest and the largest. Only ratios within one table carry over to other machines.
[benchmarks-log.md](benchmarks-log.md) records what was tried.`;

const REPEAT = `## How to repeat it

\`\`\`sh
npm ci
npm run bench                    # everything; writes this page
npm run bench -- --quick         # a smaller database and fewer rounds, a few minutes; writes nothing
npm run bench -- --only query    # one part; the others stay as they were
\`\`\`

It needs Linux (CPU time is read from /proc) and nothing else that runs. The first run installs the peers into
\`bench/node_modules\` and makes the database, which stays among the temporary files for the next one. [bench](../bench)
describes what is measured and how.`;

function machines(parts: readonly Saved[]): string {
  const lines = parts.map(({ machine, shape, quick }) => {
    const { cores, processor, memoryGb, platform, node, postgres, date } = machine;
    const data = `${formatNumber(shape.runCount)} runs in ${formatNumber(shape.workspaceCount)} workspaces`;
    return `${date}: ${cores} cores (${processor}), ${memoryGb} GB, ${platform}; Node ${node}, Postgres ${postgres}; ${data}${quick ? "; short rounds" : ""}`;
  });
  const distinct = [...new Set(lines)];
  if (distinct.length === 1) return `Measured on ${distinct[0]}.`;
  return parts.map(({ title }, index) => `- ${title}: ${lines[index]}`).join("\n");
}

function targetTable(targets: readonly Target[]): string {
  return table({
    title: "",
    columns: ["what", "target", "measured", "reached"],
    rows: targets.map((target) => [
      target.what,
      formatBound(target),
      formatFigure(target.ratio),
      isReached(target) ? "yes" : "**no**",
    ]),
  });
}

function section({ title, result }: Saved): string[] {
  return [
    `## ${title}`,
    ...result.plots.map((plot) => `![${plot.title}](benchmarks/${plot.file}.svg)`),
    ...result.tables.flatMap((one) => [`### ${one.title}`, table(one)]),
    ...result.notes,
  ];
}

function table({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map((row) => line(row.map(formatCell)))].join("\n");
}
