/** `npm run partitions`: logs by month, so that a month of them goes in an instant. */
import { parseArgs } from "node:util";
import { openInstallation, openQuietly } from "./backup-command.ts";
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

/** Gives the exit code; 1 also where something that was to be dropped is still kept. */
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
  const database = stack.use(openQuietly(await openInstallation(loadConfig(), stack)));
  if ((await listMigrations(database)).length === 0) throw new BackupError("The database is empty.");
  const deps = { database, clock: () => new Date() };
  const made = await makeLogMonths(deps, months);
  say(made.length === 0 ? `The months up to ${months} ahead are there.` : `Made ${made.join(", ")}.`);
  if (dropBefore === null) return 0;
  const ends = await dropLogMonths(deps, dropBefore);
  for (const end of ends) say(tell(end));
  if (ends.length === 0) say("No month to drop is that old.");
  return ends.every(({ dropped }) => dropped) ? 0 : 1;
}

function tell({ month, bytes, dropped, keptBy }: LogMonthEnd): string {
  if (dropped) return `Dropped ${month.name} (${bytes} bytes).`;
  if (keptBy.length === 0) return `Left ${month.name}: a line of a log came into it just now; try again.`;
  const who = keptBy.map(({ slug, logs }) => `${slug} (${logs} logs)`);
  return `Left ${month.name}: it still holds what is kept by ${who.join(", ")}.`;
}

function say(line: string): void {
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

/** NaN where it is none. */
function monthStart(text: string): number {
  return /^\d{4}-\d{2}$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
}
