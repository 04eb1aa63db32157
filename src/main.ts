/** argv -> command; exit codes. Started by `main.mjs`. */
import { writeFile } from "node:fs/promises";

const COMMANDS = {
  serve: async () => (await import("./server/serve.ts")).serve(),
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
    await writeFile(new URL("../docs/run-lifecycle.md", import.meta.url), printLifecycle());
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

async function main([name = "serve", ...argv]: string[]): Promise<number> {
  if (isCommand(name)) return COMMANDS[name](argv);
  process.stderr.write(`There is no command "${name}"; there are ${Object.keys(COMMANDS).join(", ")}.\n`);
  return 2;
}

outliveOutput();
process.exitCode = await main(process.argv.slice(2));
