/** Runs the command that the arguments name, and sets the exit code. `main.mjs` starts it. */
import { writeFile } from "node:fs/promises";

const COMMANDS = {
  serve: async (argv) => (await import("./server/serve.ts")).serve(argv),
  runner: async (argv) => (await import("./server/runner-command.ts")).runner(argv),
  demo: async (argv) => (await import("./server/demo.ts")).demo(argv),
  backup: async (argv) => (await import("./server/backup.ts")).backup(argv),
  restore: async (argv) => (await import("./server/restore.ts")).restore(argv),
  partitions: async (argv) => (await import("./server/partitions.ts")).partitions(argv),
  "print-schema": async () => {
    const { printSchemaText } = await import("./graphql/server/print-schema.ts");
    await writeFile(new URL("../schema/schema.graphql", import.meta.url), printSchemaText());
    return 0;
  },
  "print-docs": async () => {
    const { printLifecycle } = await import("./model/lifecycle/print-lifecycle.ts");
    const { printFailures } = await import("./model/lifecycle/print-failures.ts");
    await writeFile(new URL("../docs/run-lifecycle.md", import.meta.url), printLifecycle());
    await writeFile(new URL("../docs/failures.md", import.meta.url), printFailures());
    return 0;
  },
} as const satisfies Record<string, (argv: string[]) => Promise<number>>;

function isCommand(name: string): name is keyof typeof COMMANDS {
  return name in COMMANDS;
}

/** A command ends its work where its output fails: a reader may end with the same Ctrl-C, a terminal may be closed. */
function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

const HELP = ["--help", "-h"];
const VERSIONS = ["--version", "-v"];

async function main([name = "serve", ...argv]: string[]): Promise<number> {
  const command = isCommand(name) ? name : null;
  const options = command === null ? [name, ...argv] : argv;
  if (options.some((option) => HELP.includes(option))) {
    process.stdout.write((await import("./server/help.ts")).helpOf(command));
    return 0;
  }
  if (options.some((option) => VERSIONS.includes(option))) {
    process.stdout.write(`Holdpoint ${(await import("./model/kit/version.ts")).VERSION}\n`);
    return 0;
  }
  if (command !== null) return COMMANDS[command](argv);
  process.stderr.write(`There is no command "${name}"; the commands are ${Object.keys(COMMANDS).join(", ")}.\n`);
  return 2;
}

outliveOutput();
process.exitCode = await main(process.argv.slice(2));
