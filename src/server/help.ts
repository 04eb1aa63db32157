/** The texts of `--help`, which are loaded only for that option. */
import { RUNNER_HELP } from "./runner-config.ts";
import { SERVER_SETTINGS } from "./setting-names.ts";

const OVERVIEW = `Usage: npm start
       npm run COMMAND -- [options]

Commands:
  demo         takes an example through one run
  runner       starts a runner beside a server, on this machine or another one
  backup       writes the database and the keys into one file
  restore      puts such a file into an empty installation
  partitions   keeps logs by month, so that a month of them can be dropped

npm run COMMAND -- --help has the options, and npm start -- --help lists the settings.
`;

const LINE_LENGTH = 100;

const HELP: Readonly<Record<string, string>> = {
  serve: `Usage: npm start

Starts the server, with a Postgres of its own unless DATABASE_URL is set. Ctrl-C ends it: a running apply is waited for.
There are no options: settings are environment variables, which the README describes.

${lines(SERVER_SETTINGS)}

Exit codes: 0 stopped, 1 could not start or lost its database, 2 wrong arguments.
`,
  runner: RUNNER_HELP,
  demo: `Usage: npm run demo -- [--yes]

Takes examples/hello through one run, with the server of the data folder or, where none runs, one for the time of the
demo. It has the settings of npm start.

  --yes  approves at both gates without asking

Exit codes: 0 the run has finished, 1 it has not, 2 wrong arguments.
`,
  backup: `Usage: npm run backup -- FILE [--without-key]

Writes the database, the master key and the administrator's token into a new file, while the server runs or when it is
stopped. HOLDPOINT_DATA_DIR, DATABASE_URL and HOLDPOINT_MASTER_KEY are those of the server.

  --without-key  leaves the master key and the token out: a restore then needs the key from elsewhere

Exit codes: 0 written, 1 not written, 2 wrong arguments.
`,
  restore: `Usage: npm run restore -- FILE [--without-key]

Puts a backup into an empty HOLDPOINT_DATA_DIR, or into an empty database in DATABASE_URL. Stop the original server
before the restored one starts.

  --without-key  restores the history alone, where the master key is lost

Exit codes: 0 restored, 1 not restored, 2 wrong arguments.
`,
  partitions: `Usage: npm run partitions -- [--months N] [--drop | --drop-before YYYY-MM]

Keeps the lines of logs in a partition for each month. Old ones can be dropped in an instant.

  --months N             makes the partitions of this month and of N months ahead (default 3, at most 24)
  --drop                 drops the months whose logs no retention keeps
  --drop-before YYYY-MM  drops those of them that end before this month

Exit codes: 0 done, 1 failed or something is still kept, 2 wrong arguments.
`,
};

/** Gives the help of a command; without a command, an overview. */
export function helpOf(command: string | null): string {
  return (command === null ? undefined : HELP[command]) ?? OVERVIEW;
}

/** Gives the first line of the help of a command. */
export function usageOf(command: string): string {
  const text = helpOf(command);
  return text.slice(0, text.indexOf("\n") + 1);
}

function lines(words: readonly string[]): string {
  const found: string[] = [];
  for (const word of words) {
    const last = found.at(-1);
    if (last === undefined || last.length + word.length > LINE_LENGTH) found.push(`  ${word}`);
    else found[found.length - 1] = `${last} ${word}`;
  }
  return found.join("\n");
}
