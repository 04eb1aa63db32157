import { readFile, writeFile } from "node:fs/promises";
import { figure } from "../measure/statistics.ts";
import type { Part, PartResult } from "../part.ts";
import { checkPlans, type CheckedStatement, printPlans } from "../plans/check.ts";

const GOLDEN = new URL("../plans/plans.txt", import.meta.url);

/** How Postgres performs the hot statements: by index, whatever the values are. */
export const plans: Part = {
  name: "plans",
  title: "Plans of the hot statements",
  async run(context) {
    const { database } = context;
    const say = (line: string): void => context.say(line);
    const checked = await checkPlans(database);
    for (const { name, wholes } of checked) {
      if (wholes.length > 0) say(`${name} reads all of ${wholes.join(", ")}`);
    }
    if (database.sample.runCount >= 1_000_000) await compare(printPlans(checked), say);
    return report(checked);
  },
};

/** The file is what the plans were; git shows what has changed. */
async function compare(text: string, say: (line: string) => void): Promise<void> {
  const before = await readFile(GOLDEN, "utf8").catch(() => "");
  if (before === text) return;
  await writeFile(GOLDEN, text);
  say("plans have changed: look at the difference of bench/plans/plans.txt");
}

function report(checked: readonly CheckedStatement[]): PartResult {
  const wrong = checked.filter(({ wholes }) => wholes.length > 0);
  return {
    tables: [],
    plots: [],
    targets: [
      {
        what: `hot statements, of ${checked.length}, that read a large table as a whole`,
        bound: { atMost: 0 },
        ratio: figure([wrong.length], ""),
      },
    ],
    notes: [
      "Each is explained with its values, and for any values where Postgres would keep such a plan. The plans are in " +
        "`bench/plans/plans.txt`.",
      ...wrong.map(({ name, wholes }) => `\`${name}\` reads all of ${wholes.join(", ")}.`),
    ],
  };
}
