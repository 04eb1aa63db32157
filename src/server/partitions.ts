/** `npm run partitions`: logs by month, so that a month is dropped in an instant. */
import { parseArgs } from "node:util";
import { openInstallation, openWithoutHints } from "./backup-command.ts";
import { loadConfig } from "./config.ts";
import { dropLogMonths, type LogMonthEnd, makeLogMonths } from "../domain/retention/log-months.ts";
import { BackupError } from "../persistence/backup/format.ts";
import { listMigrations } from "../persistence/backup/tables.ts";
import { usageOf } from "./help.ts";
import { explain } from "./serve.ts";

const MOST_MONTHS = 24;

/** `dropBefore`: the start of a month in UTC; null: nothing is dropped. */
interface Arguments {
  months: number;
  dropBefore: number | null;
}

/** Runs the command; gives the exit code, which is 1 also if a month that was to be dropped is kept. */
export async function partitions(argv: string[]): Promise<number> {
  const args = parse(argv);
  if (args === null) {
    process.stderr.write(usageOf("partitions"));
    return 2;
  }
  try {
    return await run(args);
  } catch (error) {
    process.stderr.write(
      `${error instanceof BackupError ? error.message : explain(error, "npm run partitions failed")}\n`,
    );
    return 1;
  }
}

async function run({ months, dropBefore }: Arguments): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(openWithoutHints(await openInstallation(loadConfig(), stack)));
  if ((await listMigrations(database)).length === 0) throw new BackupError("The database is empty.");
  const deps = { database, clock: () => new Date() };
  const made = await makeLogMonths(deps, months);
  print(made.length === 0 ? `The months up to ${months} ahead exist already.` : `Made ${made.join(", ")}.`);
  if (dropBefore === null) return 0;
  const ends = await dropLogMonths(deps, dropBefore);
  for (const end of ends) print(describeEnd(end));
  if (ends.length === 0) print("No month to drop is that old.");
  return ends.every(({ dropped }) => dropped) ? 0 : 1;
}

function describeEnd({ month, bytes, dropped, keptBy }: LogMonthEnd): string {
  if (dropped) return `Dropped ${month.name} (${bytes} bytes).`;
  if (keptBy.length === 0) return `Kept ${month.name}: a line of a log was just added to it. Try again.`;
  const who = keptBy.map(({ slug, logs }) => `${slug} (${logs} logs)`);
  return `Kept ${month.name}: the retention of ${who.join(", ")} still keeps logs of it.`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function parse(argv: string[]): Arguments | null {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        months: { type: "string", default: "3" },
        drop: { type: "boolean", default: false },
        "drop-before": { type: "string" },
      },
    });
    const months = /^\d{1,2}$/.test(values.months) ? Number(values.months) : 0;
    const before = values["drop-before"];
    const month = before === undefined ? null : monthStart(before);
    if (months < 1 || months > MOST_MONTHS || Number.isNaN(month) || (values.drop && before !== undefined)) return null;
    return { months, dropBefore: values.drop ? Date.now() : month };
  } catch {
    return null;
  }
}

/** Gives the first instant of a month; NaN if the text is no month. */
function monthStart(text: string): number {
  return /^\d{4}-\d{2}$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
}
