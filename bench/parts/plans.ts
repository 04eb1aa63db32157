import { readFile, writeFile } from "node:fs/promises";
import { figure } from "../measure/statistics.ts";
import type { Part, PartResult } from "../part.ts";
import { checkPlans, type CheckedStatement, printPlans } from "../plans/check.ts";
import { changedWays, readPlans } from "../plans/ways.ts";

const GOLDEN = new URL("../plans/plans.txt", import.meta.url);

/** Plans of Postgres for the hot statements: by the indexes that were made for them, for all values. */
export const plans: Part = {
  name: "plans",
  title: "Plans of the hot statements",
  async run(context) {
    const { database } = context;
    const checked = await checkPlans(database);
    // With fewer rows Postgres rightly takes other ways.
    const changed = database.sample.runCount >= 1_000_000 ? await compare(printPlans(checked)) : null;
    return report(checked, changed, (line) => context.print(line));
  },
};

/** The file is what the plans were; git shows what has changed. */
async function compare(text: string): Promise<string[]> {
  const before = await readFile(GOLDEN, "utf8").catch(() => "");
  if (before !== text) await writeFile(GOLDEN, text);
  return changedWays(readPlans(before), readPlans(text));
}

function report(
  checked: readonly CheckedStatement[],
  changed: readonly string[] | null,
  print: (line: string) => void,
): PartResult {
  const wrong = checked.filter(({ wholes }) => wholes.length > 0);
  const found = [
    ...wrong.map(({ name, wholes }) => `\`${name}\` reads all of ${wholes.join(", ")}`),
    ...(changed ?? []),
  ];
  for (const one of found) print(one);
  const none = (what: string, count: number) => ({
    what: `hot statements, of ${checked.length}, that ${what}`,
    bound: { atMost: 0 },
    ratio: figure([count], ""),
  });
  return {
    tables: [],
    plots: [],
    targets: [
      none("read a large table as a whole", wrong.length),
      ...(changed === null ? [] : [none("come to their rows by other indexes than in plans.txt", changed.length)]),
    ],
    notes: [
      "Each statement is explained with its values, and with a generic plan where Postgres would keep one. The plans are in `bench/plans/plans.txt`: tables, indexes and access paths, with which a run over a million runs is compared before it writes them again.",
      ...found.map((one) => `${one}.`),
    ],
  };
}
